// SPDX-License-Identifier: MIT
// Floating point by the host's arithmetic: the same formats, with the flags of <cfenv>. NaNs are
// made canonical, and underflow is detected after rounding, as RISC-V requires, whatever the host
// does. Rounding to nearest with ties away (RMM) is done for conversions to integers alone;
// arithmetic in this mode is an illegal instruction.
#include <rdt/hart/hart.h>

#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace rdt::hart {

namespace {

enum Flag : uint32_t { Inexact = 1, Underflow = 2, Overflow = 4, DivideByZero = 8, Invalid = 16 };
enum Mode : uint32_t { Nearest, TowardsZero, Down, Up, TiesAway };

template <class F>
struct Format;
template <>
struct Format<float> {
    using Bits = uint32_t;
    static constexpr uint32_t QuietNan = 0x7fc00000;
    static constexpr uint32_t QuietBit = 0x00400000;
    static constexpr int Scale = 64;
};
template <>
struct Format<double> {
    using Bits = uint64_t;
    static constexpr uint64_t QuietNan = 0x7ff8000000000000;
    static constexpr uint64_t QuietBit = 0x0008000000000000;
    static constexpr int Scale = 200;
};

template <class F>
using BitsOf = typename Format<F>::Bits;
template <class F>
constexpr BitsOf<F> SignBit = BitsOf<F>(1) << (8 * sizeof(F) - 1);

template <class F>
BitsOf<F> bits_of(F v) {
    BitsOf<F> b;
    std::memcpy(&b, &v, sizeof b);
    return b;
}
template <class F>
F from_bits(BitsOf<F> b) {
    F v;
    std::memcpy(&v, &b, sizeof v);
    return v;
}
template <class F>
bool is_signaling(F v) {
    return std::isnan(v) && (bits_of(v) & Format<F>::QuietBit) == 0;
}

// Single precision is NaN-boxed in a register of 64 bits.
template <class F>
uint64_t boxed(BitsOf<F> b) {
    return sizeof(F) == 8 ? uint64_t(b) : 0xffffffff00000000u | b;
}
template <class F>
F unboxed(uint64_t r) {
    if (sizeof(F) == 4 && r >> 32 != 0xffffffff) return from_bits<F>(Format<F>::QuietNan);
    return from_bits<F>(BitsOf<F>(r));
}
template <class F>
uint64_t canonical(F v) {
    return boxed<F>(std::isnan(v) ? BitsOf<F>(Format<F>::QuietNan) : bits_of(v));
}

uint32_t host_flags() {
    const int e = std::fetestexcept(FE_ALL_EXCEPT);
    return ((e & FE_INEXACT) != 0 ? Inexact : 0u) | ((e & FE_UNDERFLOW) != 0 ? Underflow : 0u) |
           ((e & FE_OVERFLOW) != 0 ? Overflow : 0u) |
           ((e & FE_DIVBYZERO) != 0 ? DivideByZero : 0u) | ((e & FE_INVALID) != 0 ? Invalid : 0u);
}

// The result of an operation in a rounding mode, with its flags. Operands are read as volatile, so
// that the compiler leaves the operation between the calls.
template <class F, class Operation>
F rounded(uint32_t mode, uint32_t& flags, Operation&& operation) {
    constexpr int Modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    if (mode != Nearest) std::fesetround(Modes[mode]);
    std::feclearexcept(FE_ALL_EXCEPT);
    volatile F result = operation();
    flags |= host_flags();
    if (mode != Nearest) std::fesetround(FE_TONEAREST);
    return result;
}

// Hosts that detect underflow before rounding report it also for results that are rounded to the
// least normal number and would be no less with an exponent of any range. `scaled` is the same
// operation on larger operands.
template <class F, class Scaled>
void correct_underflow(F result, uint32_t mode, uint32_t& flags, Scaled&& scaled) {
    constexpr F Least = std::numeric_limits<F>::min();
    if ((flags & Underflow) == 0 || std::fabs(result) != Least) return;
    uint32_t ignored = 0;
    const F large = rounded<F>(mode, ignored, scaled);
    if (std::fabs(large) >= std::ldexp(Least, Format<F>::Scale)) flags &= ~uint32_t(Underflow);
}
template <class F>
F enlarged(F v) {
    return std::ldexp(v, Format<F>::Scale);
}

template <class F>
F multiply(F a, F b, uint32_t mode, uint32_t& flags) {
    const F r = rounded<F>(mode, flags, [&] {
        volatile F p = a;
        volatile F q = b;
        return p * q;
    });
    const bool a_is_less = std::fabs(a) < std::fabs(b);
    correct_underflow(r, mode, flags, [&] {
        volatile F p = a_is_less ? enlarged(a) : a;
        volatile F q = a_is_less ? b : enlarged(b);
        return p * q;
    });
    return r;
}

template <class F>
F divide(F a, F b, uint32_t mode, uint32_t& flags) {
    const F r = rounded<F>(mode, flags, [&] {
        volatile F p = a;
        volatile F q = b;
        return p / q;
    });
    correct_underflow(r, mode, flags, [&] {
        const bool is_small = std::fabs(a) < 1;
        volatile F p = is_small ? enlarged(a) : a;
        volatile F q = is_small ? b : std::ldexp(b, -Format<F>::Scale);
        return p / q;
    });
    return r;
}

template <class F>
F multiply_add(F a, F b, F c, uint32_t mode, uint32_t& flags) {
    const F r = rounded<F>(mode, flags, [&] {
        volatile F p = a;
        volatile F q = b;
        volatile F s = c;
        return std::fma(F(p), F(q), F(s));
    });
    const bool a_is_less = std::fabs(a) < std::fabs(b);
    correct_underflow(r, mode, flags, [&] {
        volatile F p = a_is_less ? enlarged(a) : a;
        volatile F q = a_is_less ? b : enlarged(b);
        volatile F s = enlarged(c);
        return std::fma(F(p), F(q), F(s));
    });
    // Also if the third operand is a quiet NaN, where hosts differ.
    if ((std::isinf(a) && b == 0) || (a == 0 && std::isinf(b))) flags |= Invalid;
    return r;
}

float narrow(double v, uint32_t mode, uint32_t& flags) {
    const float r = rounded<float>(mode, flags, [&] {
        volatile double p = v;
        return float(p);
    });
    correct_underflow(r, mode, flags, [&] {
        volatile double p = std::ldexp(v, Format<float>::Scale);
        return float(p);
    });
    return r;
}

template <class T, class F>
T to_integer(F v, uint32_t mode, uint32_t& flags) {
    F r = v;
    switch (mode) {
    case TowardsZero: r = std::trunc(v); break;
    case Down: r = std::floor(v); break;
    case Up: r = std::ceil(v); break;
    case TiesAway: r = std::round(v); break;
    default: r = std::nearbyint(v); break;
    }
    constexpr bool IsSigned = std::is_signed_v<T>;
    const F high = std::ldexp(F(1), int(sizeof(T) * 8) - (IsSigned ? 1 : 0));
    const F low = IsSigned ? -high : F(0);
    if (std::isnan(v) || r >= high) {
        flags |= Invalid;
        return std::numeric_limits<T>::max();
    }
    if (r < low) {
        flags |= Invalid;
        return std::numeric_limits<T>::min();
    }
    if (r != v) flags |= Inexact;
    return T(r);
}

template <class F>
uint64_t converted(F v, uint32_t kind, uint32_t mode, uint32_t& flags) {
    switch (kind) {
    case 0: return uint64_t(int64_t(to_integer<int32_t>(v, mode, flags)));
    case 1: return uint64_t(int64_t(int32_t(to_integer<uint32_t>(v, mode, flags))));
    case 2: return uint64_t(to_integer<int64_t>(v, mode, flags));
    default: return to_integer<uint64_t>(v, mode, flags);
    }
}

template <class F>
F from_integer(uint64_t v, uint32_t kind, uint32_t mode, uint32_t& flags) {
    return rounded<F>(mode, flags, [&] {
        volatile uint64_t w = v;
        const uint64_t u = w;
        switch (kind) {
        case 0: return F(int32_t(uint32_t(u)));
        case 1: return F(uint32_t(u));
        case 2: return F(int64_t(u));
        default: return F(u);
        }
    });
}

template <class F>
uint64_t class_of(F v) {
    const bool is_negative = std::signbit(v);
    switch (std::fpclassify(v)) {
    case FP_NAN: return is_signaling(v) ? 1u << 8 : 1u << 9;
    case FP_INFINITE: return is_negative ? 1u << 0 : 1u << 7;
    case FP_ZERO: return is_negative ? 1u << 3 : 1u << 4;
    case FP_SUBNORMAL: return is_negative ? 1u << 2 : 1u << 5;
    default: return is_negative ? 1u << 1 : 1u << 6;
    }
}

template <class F>
uint64_t least_or_greatest(F a, F b, bool wants_greatest, uint32_t& flags) {
    if (is_signaling(a) || is_signaling(b)) flags |= Invalid;
    if (std::isnan(a) && std::isnan(b)) return canonical(a);
    const bool a_is_less = a < b || (a == b && std::signbit(a));
    const bool takes_a = std::isnan(b) || (!std::isnan(a) && a_is_less != wants_greatest);
    return canonical(takes_a ? a : b);
}

template <class F>
uint64_t compared(F a, F b, uint32_t kind, uint32_t& flags) {
    if (std::isnan(a) || std::isnan(b)) {
        if (kind != 2 || is_signaling(a) || is_signaling(b)) flags |= Invalid;
        return 0;
    }
    return (kind == 2 ? a == b : kind == 1 ? a < b : a <= b) ? 1 : 0;
}

bool is_arithmetic(Opcode op) {
    return op <= Opcode::Fnmadd || op == Opcode::IntToFloat || op == Opcode::FloatToFloat;
}

}  // namespace

template <class F>
bool Hart::execute_float_of(const Instruction& n) {
    const uint32_t mode = n.funct3 == 7 ? fcsr >> 5 : n.funct3;
    const bool is_rounded = is_arithmetic(n.op) || n.op == Opcode::FloatToInt;
    if (is_rounded && (mode > TiesAway || (mode == TiesAway && is_arithmetic(n.op)))) return false;
    const F a = unboxed<F>(f[n.rs1]);
    const F b = unboxed<F>(f[n.rs2]);
    const auto c = [&] { return unboxed<F>(f[n.funct7]); };
    const auto put = [&](F v) { f[n.fd()] = canonical(v); };
    uint32_t flags = 0;
    switch (n.op) {
    case Opcode::Fadd:
    case Opcode::Fsub:
        put(rounded<F>(mode, flags, [&] {
            volatile F p = a;
            volatile F q = n.op == Opcode::Fsub ? -b : b;
            return p + q;
        }));
        break;
    case Opcode::Fmul: put(multiply(a, b, mode, flags)); break;
    case Opcode::Fdiv: put(divide(a, b, mode, flags)); break;
    case Opcode::Fsqrt:
        put(rounded<F>(mode, flags, [&] {
            volatile F p = a;
            return std::sqrt(F(p));
        }));
        break;
    case Opcode::Fmadd: put(multiply_add(a, b, c(), mode, flags)); break;
    case Opcode::Fmsub: put(multiply_add(a, b, -c(), mode, flags)); break;
    case Opcode::Fnmsub: put(multiply_add(-a, b, c(), mode, flags)); break;
    case Opcode::Fnmadd: put(multiply_add(-a, b, -c(), mode, flags)); break;
    case Opcode::Fsgnj: {
        const BitsOf<F> p = bits_of(a);
        const BitsOf<F> q = bits_of(b);
        const BitsOf<F> sign = n.funct3 == 0 ? q : n.funct3 == 1 ? BitsOf<F>(~q) : p ^ q;
        f[n.fd()] = boxed<F>((p & ~SignBit<F>) | (sign & SignBit<F>));
        break;
    }
    case Opcode::Fminmax: f[n.fd()] = least_or_greatest(a, b, n.funct3 == 1, flags); break;
    case Opcode::Fcompare: x[n.rd] = compared(a, b, n.funct3, flags); break;
    case Opcode::FclassMove:
        if (n.funct3 == 1) x[n.rd] = class_of(a);
        else x[n.rd] = n.is_double ? f[n.rs1] : uint64_t(int64_t(int32_t(uint32_t(f[n.rs1]))));
        break;
    case Opcode::MoveToFloat: f[n.fd()] = boxed<F>(BitsOf<F>(x[n.rs1])); break;
    case Opcode::FloatToInt: x[n.rd] = converted(a, n.rs2, mode, flags); break;
    case Opcode::IntToFloat: put(from_integer<F>(x[n.rs1], n.rs2, mode, flags)); break;
    case Opcode::FloatToFloat:
        if (n.is_double) {
            const float v = unboxed<float>(f[n.rs1]);
            if (is_signaling(v)) flags |= Invalid;
            f[n.fd()] = canonical(double(v));
        } else {
            f[n.fd()] = canonical(narrow(unboxed<double>(f[n.rs1]), mode, flags));
        }
        break;
    default: return false;
    }
    fcsr |= flags;
    return true;
}

bool Hart::execute_float(const Instruction& n) {
    return n.is_double ? execute_float_of<double>(n) : execute_float_of<float>(n);
}

}  // namespace rdt::hart
