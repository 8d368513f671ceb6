// SPDX-License-Identifier: MIT
// The registers that SETUP packets read and write.
#pragma once

#include <rdt/core/route.h>

namespace rdt::core {

struct Config {
    RouteConfig route;
    uint32_t x = 0;
    uint32_t y = 0;
    uint32_t link = 0;
    uint32_t timeout = 0;
    uint32_t t_ent = 0;
    uint32_t t_ack = 0;
    uint32_t ctrl = 0;
    uint32_t status = 0;
    uint32_t link_err = 0;
    uint32_t err_cnt = 0;
    uint32_t body_cnt = 0;
    uint32_t sync_cnt = 0;
    uint32_t lost_cnt = 0;
    uint32_t stray_cnt = 0;
    uint32_t sunk_cnt = 0;

    static constexpr uint32_t CtrlCompare = 1;  // the slices
    static constexpr uint32_t CtrlOnTimeout = 2;
    static constexpr uint32_t CtrlShoot = 4;     // not kept
    static constexpr uint32_t CtrlGuard = 8;     // only MBP 0 may write
    static constexpr uint32_t CtrlSink = 16;     // dead outputs consume packets
    static constexpr uint32_t CtrlEndLane = 32;  // the wait of the lane's entry; not kept
    static constexpr uint32_t CtrlDrop = 64;     // packets that time out are consumed
    static constexpr uint32_t CtrlKept =
        CtrlCompare | CtrlOnTimeout | CtrlGuard | CtrlSink | CtrlDrop;
    static constexpr uint32_t MaxCount = 255;  // where all counters stop

    static bool exists(uint32_t addr) { return addr <= RegSunkCnt; }
    static bool read_only(uint32_t addr) {
        return addr == RegId || addr == RegShot || addr == RegDown;
    }

    bool compares() const { return (ctrl & CtrlCompare) != 0; }
    bool guards() const { return (ctrl & CtrlGuard) != 0; }
    bool sinks() const { return (ctrl & CtrlSink) != 0; }
    bool drops() const { return (ctrl & CtrlDrop) != 0; }

    // All but RegShot and RegDown, which are not kept here.
    uint32_t read(uint32_t addr) const {
        switch (addr) {
        case RegId: return IdValue;
        case RegX: return x;
        case RegY: return y;
        case RegRank: return route.rank;
        case RegXfer: return route.xfer;
        case RegDateline: return route.dateline;
        case RegLink: return link;
        case RegTimeout: return timeout;
        case RegCtrl: return ctrl;
        case RegStatus: return status;
        case RegLinkErr: return link_err;
        case RegErrCnt: return err_cnt;
        case RegBodyCnt: return body_cnt;
        case RegMask: return route.mask;
        case RegTEnt: return t_ent;
        case RegTAck: return t_ack;
        case RegRanks: return route.ranks;
        case RegSyncCnt: return sync_cnt;
        case RegLostCnt: return lost_cnt;
        case RegStrayCnt: return stray_cnt;
        case RegSunkCnt: return sunk_cnt;
        default: return 0;
        }
    }

    void write(uint32_t addr, uint32_t d) {
        switch (addr) {
        case RegX: x = d & 0xFF; break;
        case RegY: y = d & 0xFF; break;
        case RegRank: route.rank = d & 7; break;
        case RegXfer: route.xfer = d & 0xF; break;
        case RegDateline: route.dateline = d & 0xFF; break;
        case RegLink: link = d & 0xFF; break;
        case RegTimeout: timeout = d & 0xFFFF; break;
        case RegCtrl: ctrl = d & CtrlKept; break;
        case RegStatus: status &= ~d; break;
        case RegLinkErr: link_err &= ~d; break;
        case RegErrCnt: err_cnt = d & 0xFF; break;
        case RegBodyCnt: body_cnt = d & 0xFF; break;
        case RegMask: route.mask = d & 0xFF; break;
        case RegTEnt: t_ent = d & 0xFFFF; break;
        case RegTAck: t_ack = d & 0xFFFF; break;
        case RegRanks: route.ranks = d & 0xF; break;
        case RegSyncCnt: sync_cnt = d & 0xFF; break;
        case RegLostCnt: lost_cnt = d & 0xFF; break;
        case RegStrayCnt: stray_cnt = d & 0xFF; break;
        case RegSunkCnt: sunk_cnt = d & 0xFF; break;
        default: break;
        }
    }
};

}  // namespace rdt::core
