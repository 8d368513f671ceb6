// SPDX-License-Identifier: MIT
// De Bruijn and Kautz graphs, undirected. A node is a word of n letters (of a Kautz graph: no two
// neighboring letters alike); its neighbors are the words that arise when all letters move up or
// down by one place and a new one comes in at the free end.
#include <fmt/core.h>

#include <rdt/net/graph/graph_network.h>
#include <rdt/net/graph/parameters.h>

namespace rdt {

namespace {

// Ports 0 to k-1 let letter 0 to k-1 in at the low end, ports k to 2k-1 at the high end. The index
// is the word read as a number in base k.
class DeBruijn : public GraphNetwork {
public:
    static constexpr const char* Form = "debruijn:K,N";

    DeBruijn(uint32_t letters, uint32_t length, uint32_t nodes)
        : GraphNetwork(fmt::format("debruijn:{},{}", letters, length), nodes, 2 * letters,
                       [=](NodeId word, uint32_t port) -> std::optional<NodeId> {
                           if (port < letters)
                               return NodeId((uint64_t(word) * letters + port) % nodes);
                           return word / letters + (port - letters) * (nodes / letters);
                       }),
          m_letters(letters),
          m_length(length) {}

    std::string label(NodeId node) const override {
        std::vector<uint32_t> word(m_length);
        for (uint32_t i = m_length; i-- > 0; node /= m_letters) word[i] = node % m_letters;
        return joined(word);
    }

private:
    const uint32_t m_letters;
    const uint32_t m_length;
};

// A word is stored as its first letter, one of k+1, and for each further letter the distance from
// the previous one, minus one. The index is these numbers in base k.
class Kautz : public GraphNetwork {
public:
    static constexpr const char* Form = "kautz:K,N";

    Kautz(uint32_t degree, uint32_t length, uint32_t nodes)
        : GraphNetwork(fmt::format("kautz:{},{}", degree, length), nodes, 2 * degree,
                       [=](NodeId node, uint32_t port) -> std::optional<NodeId> {
                           return neighbor_of(node, port, degree, length);
                       }),
          m_degree(degree),
          m_length(length) {}

    std::string label(NodeId node) const override {
        return joined(word_of(node, m_degree, m_length));
    }

private:
    static std::vector<uint32_t> word_of(NodeId node, uint32_t degree, uint32_t length) {
        std::vector<uint32_t> word(length);
        for (uint32_t i = length; --i > 0; node /= degree) word[i] = node % degree;
        word[0] = node;
        for (uint32_t i = 1; i < length; ++i) word[i] = (word[i - 1] + 1 + word[i]) % (degree + 1);
        return word;
    }
    static NodeId index_of(const std::vector<uint32_t>& word, uint32_t degree) {
        NodeId node = word[0];
        for (size_t i = 1; i < word.size(); ++i)
            node = node * degree + (word[i] + degree - word[i - 1]) % (degree + 1);
        return node;
    }
    static NodeId neighbor_of(NodeId node, uint32_t port, uint32_t degree, uint32_t length) {
        std::vector<uint32_t> word = word_of(node, degree, length);
        const uint32_t step = port % degree + 1;
        if (port < degree) {
            word.push_back((word.back() + step) % (degree + 1));
            word.erase(word.begin());
        } else {
            word.insert(word.begin(), (word.front() + step) % (degree + 1));
            word.pop_back();
        }
        return index_of(word, degree);
    }

    const uint32_t m_degree;
    const uint32_t m_length;
};

struct Parameters {
    uint32_t letters;
    uint32_t length;
};

Parameters parse(const std::string& text, const char* form) {
    const std::vector<uint32_t> p = parse_numbers(text, ',', form, 2, 2);
    if (p[0] < 2 || p[0] > 64 || p[1] < 2 || p[1] > 22)
        throw NetworkError(fmt::format("{} takes K from 2 to 64 and N from 2 to 22", form));
    return {p[0], p[1]};
}

const NetworkKind de_bruijn{"debruijn", DeBruijn::Form,
                            "undirected de Bruijn graph of K^N nodes, words of N letters out of K",
                            [](const std::string& text) {
                                const auto [k, n] = parse(text, DeBruijn::Form);
                                return std::make_unique<DeBruijn>(k, n, checked_power(k, n));
                            }};
const NetworkKind kautz{"kautz", Kautz::Form, "undirected Kautz graph of K^N + K^(N-1) nodes",
                        [](const std::string& text) {
                            const auto [k, n] = parse(text, Kautz::Form);
                            const uint64_t nodes = uint64_t(checked_power(k, n - 1)) * (k + 1);
                            return std::make_unique<Kautz>(k, n, checked_nodes(nodes));
                        }};

}  // namespace

}  // namespace rdt
