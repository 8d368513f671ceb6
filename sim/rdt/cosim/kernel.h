// SPDX-License-Identifier: MIT
// A SystemC kernel that ends with its owner, so that one process can run many.
#pragma once

#include <optional>
#include <systemc>
#include <vector>

namespace rdt::machine {

// Makes a context the current one for as long as it lives.
class ContextChange {
public:
    explicit ContextChange(sc_core::sc_simcontext* context)
        : m_current(sc_core::sc_curr_simcontext), m_global(sc_core::sc_default_global_context) {
        sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = context;
    }
    ~ContextChange() {
        sc_core::sc_curr_simcontext = m_current;
        sc_core::sc_default_global_context = m_global;
    }
    ContextChange(const ContextChange&) = delete;
    ContextChange& operator=(const ContextChange&) = delete;

private:
    sc_core::sc_simcontext* m_current;
    sc_core::sc_simcontext* m_global;
};

// A kernel of its own for as long as it lives; modules must die before it. While a newer one lives,
// the older ones and their modules rest.
class Kernel {
public:
    Kernel() : m_context(new sc_core::sc_simcontext()) { m_change.emplace(m_context); }
    ~Kernel() {
        const ContextChange change(m_context);
        if (!m_is_abandoned && can_be_deleted()) delete m_context;
    }
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    // It is not taken apart at its end. SystemC 2.3.4 searches all processes for each that goes:
    // with 64 chips of blocks, 16,000 of them, that takes a minute.
    void abandon() { m_is_abandoned = true; }

    // The kernel that was there before is the current one again. From now on modules of this one
    // run only while a ContextChange to its context lives.
    void rest() { m_change.reset(); }
    sc_core::sc_simcontext* context() const { return m_context; }

private:
    // SystemC 3.0 deletes its coroutine package before the threads, and the destructor of a
    // thread's coroutine calls that package. A context with a thread that has not ended is
    // therefore kept: its memory is not freed before the program ends. SystemC 2.3 does not have
    // this defect.
    static bool can_be_deleted() {
#if SC_VERSION_MAJOR >= 3
        return !has_live_thread(sc_core::sc_get_top_level_objects());
#else
        return true;
#endif
    }

    // Modules have died; their processes are then children of the context or of each other.
    static bool has_live_thread(const std::vector<sc_core::sc_object*>& objects) {
        for (sc_core::sc_object* object : objects) {
            const sc_core::sc_process_handle process(object);
            const bool is_thread =
                process.valid() && (process.proc_kind() == sc_core::SC_THREAD_PROC_ ||
                                    process.proc_kind() == sc_core::SC_CTHREAD_PROC_);
            if (is_thread && !process.terminated()) return true;
            if (has_live_thread(object->get_child_objects())) return true;
        }
        return false;
    }

    sc_core::sc_simcontext* m_context;
    std::optional<ContextChange> m_change;
    bool m_is_abandoned = false;
};

}  // namespace rdt::machine
