// SPDX-License-Identifier: MIT
// A machine of 64 nodes in a custom program: a packet from node 0 to node 37, and a multicast to
// all nodes that the lowest level reaches, with one combined ack.
#include <cstdio>

#include <rdt/machine/transport.h>

int main() {
    rdt::machine::Config config;
    config.t_ent = 60;  // multicasts with acks need both
    config.t_ack = 10000;
    const auto machine = rdt::machine::make_machine(config);
    machine->bring_up();

    rdt::machine::Transport transport(*machine);
    transport.on_delivery = [](const rdt::machine::Packet& packet,
                               const rdt::machine::Delivery& delivery) {
        std::printf("packet %llu is at node %u after %llu cycles\n",
                    static_cast<unsigned long long>(packet.number), delivery.node,
                    static_cast<unsigned long long>(delivery.tail + 1 - packet.born));
    };
    transport.on_ack = [](const rdt::machine::Packet& packet, unsigned) {
        std::printf("packet %llu is answered\n", static_cast<unsigned long long>(packet.number));
    };

    rdt::machine::Message message;
    message.source = 0;
    message.destination = 37;
    transport.send(message);
    rdt::machine::Message multicast;
    multicast.source = 0;
    multicast.maps = 0xFF;  // the lowest level: all eight
    multicast.wants_ack = true;
    transport.send(multicast);

    for (int clock = 0; clock < 5000 && transport.open() != 0; ++clock) transport.clock();
    return transport.open() == 0 ? 0 : 1;
}
