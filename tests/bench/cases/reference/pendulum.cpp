// Furuta pendulums, as `../pendulum.fut` has them: lanes of a vector are pendulums, several vectors
// are in flight, and the angles of some steps are transposed before they are stored, so that whole
// cache lines are written.
#include "harness.h"

namespace {

constexpr int lanes = 16;
constexpr int flying = 2; // vectors at a time: sine and division are long chains
constexpr int steps = 1000;
constexpr int together = 16; // steps whose angles are stored at once

using Floats = float __attribute__((vector_size(lanes * 4)));
using Unaligned = float __attribute__((vector_size(lanes * 4), aligned(4), may_alias));
using Ints = int __attribute__((vector_size(lanes * 4)));

struct Parameters {
  Floats arm, pendulum, coupling, torque, rub_arm, rub_pendulum;
};

struct State {
  Floats heading, angle, turn, swing;
};

/// Sine and cosine, of one reduction by multiples of pi / 2 in three parts (W. J. Cody and
/// W. Waite, 1980) and the Taylor polynomials of what is left; within 2 ULP up to 1000.
[[gnu::always_inline]] inline void sine_and_cosine(Floats x, Floats& sine, Floats& cosine) {
  const Floats shift = Floats{} + 0x1.8p23f;
  const Floats turns = x * 0.63661977f + shift;
  const Ints quadrant = (Ints)turns;
  const Floats k = turns - shift;
  const Floats r = ((x - k * 1.5703125f) - k * 4.837512969970703e-4f) - k * 7.54978995489e-8f;
  const Floats r2 = r * r;
  const Floats s =
      r +
      r * r2 * (-1.6666667e-1f + r2 * (8.3333310e-3f + r2 * (-1.9840874e-4f + r2 * 2.7525562e-6f)));
  const Floats c =
      1.0f - 0.5f * r2 +
      r2 * r2 *
          (4.1666642e-2f + r2 * (-1.3888397e-3f + r2 * (2.4801587e-5f + r2 * -2.6051615e-7f)));
  const Ints swapped = (quadrant & 1) != 0;
  const Ints sine_sign = (quadrant & 2) << 30, cosine_sign = ((quadrant + 1) & 2) << 30;
  const Floats first = swapped ? c : s, second = swapped ? s : c;
  const Ints signed_sine = (Ints)first ^ sine_sign;
  const Ints signed_cosine = (Ints)second ^ cosine_sign;
  sine = (Floats)signed_sine;
  cosine = (Floats)signed_cosine;
}

[[gnu::always_inline]] inline State slope(const Parameters& p, const State& at) {
  Floats s, c;
  sine_and_cosine(at.angle, s, c);
  const Floats mixed = p.pendulum * (s * c);
  const Floats m11 = p.arm + p.pendulum * (s * s), m12 = p.coupling * c;
  const Floats r1 = p.coupling * s * (at.swing * at.swing) - 2 * mixed * (at.turn * at.swing) -
                    p.rub_arm * at.turn;
  const Floats r2 = mixed * (at.turn * at.turn) - p.torque * s - p.rub_pendulum * at.swing;
  const Floats scale = 1 / (m11 * p.pendulum - m12 * m12);
  return {at.turn, at.swing, (r1 * p.pendulum - m12 * r2) * scale, (m11 * r2 - m12 * r1) * scale};
}

[[gnu::always_inline]] inline State along(Floats h, const State& s, const State& d) {
  return {s.heading + h * d.heading, s.angle + h * d.angle, s.turn + h * d.turn,
          s.swing + h * d.swing};
}

/// The classical step of several vectors of pendulums, stage by stage.
[[gnu::always_inline]] inline void step(float length, const Parameters (&p)[flying],
                                        State (&states)[flying]) {
  const Floats one = Floats{} + 1, two = Floats{} + 2, half = Floats{} + length / 2,
               whole = Floats{} + length, sixth = Floats{} + length / 6;
  State k[flying], total[flying];
#pragma GCC unroll 8
  for (int v = 0; v < flying; ++v)
    total[v] = k[v] = slope(p[v], states[v]);
#pragma GCC unroll 8
  for (int v = 0; v < flying; ++v) {
    k[v] = slope(p[v], along(half, states[v], k[v]));
    total[v] = along(two, total[v], k[v]);
  }
#pragma GCC unroll 8
  for (int v = 0; v < flying; ++v) {
    k[v] = slope(p[v], along(half, states[v], k[v]));
    total[v] = along(two, total[v], k[v]);
  }
#pragma GCC unroll 8
  for (int v = 0; v < flying; ++v) {
    k[v] = slope(p[v], along(whole, states[v], k[v]));
    states[v] = along(sixth, states[v], along(one, total[v], k[v]));
  }
}

/// Rows of lanes become columns: `to` has a row of `stride` for each lane.
void store_transposed(const Floats (&rows)[together], int count, float* to, std::int64_t stride,
                      std::int64_t wanted) {
  alignas(64) float square[lanes][together];
  Floats even[together], r[together];
  for (int i = 0; i < together; ++i)
    r[i] = rows[i];
  // Four rounds, each of which interleaves rows that are half of all apart.
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < together / 2; ++i) {
      even[2 * i] = __builtin_shuffle(r[i], r[i + together / 2],
                                      Ints{0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23});
      even[2 * i + 1] =
          __builtin_shuffle(r[i], r[i + together / 2],
                            Ints{8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31});
    }
    for (int i = 0; i < together; ++i)
      r[i] = even[i];
  }
  if (count == together && wanted >= lanes) {
    for (int lane = 0; lane < lanes; ++lane)
      *reinterpret_cast<Unaligned*>(to + lane * stride) = r[lane];
    return;
  }
  for (int lane = 0; lane < lanes; ++lane)
    std::memcpy(square[lane], &r[lane], sizeof r[lane]);
  for (int lane = 0; lane < std::min<std::int64_t>(wanted, lanes); ++lane)
    std::memcpy(to + lane * stride, square[lane], count * sizeof(float));
}

} // namespace

int main(int count, char** words) {
  const cases::Options options = cases::options(count, words);
  const std::int64_t n = options.n, block = lanes * flying,
                     padded = (n + block - 1) / block * block;
  cases::Array<float> mass(padded), length(padded), rub_arm(padded), rub_pendulum(padded);
  for (std::int64_t i = 0; i < padded; ++i) {
    mass[i] = 0.0625f + 0.125f * cases::uniform(1, i);
    length[i] = 0.25f + 0.25f * cases::uniform(2, i);
    rub_arm[i] = 0.0078125f * cases::uniform(3, i);
    rub_pendulum[i] = 0.00390625f * cases::uniform(4, i);
  }
  cases::Array<float> angles(n * steps);

  const auto kernel = [&] {
#pragma omp parallel for schedule(dynamic, 4)
    for (std::int64_t i = 0; i < n; i += block) {
      Parameters p[flying];
      State states[flying];
      for (int v = 0; v < flying; ++v) {
        const auto of = [&](const cases::Array<float>& xs) {
          return *reinterpret_cast<const Unaligned*>(&xs[i + v * lanes]);
        };
        const Floats m = of(mass), l = of(length);
        p[v] = {0.01f + m * 0.04f,   m * l * l / 3, m * 0.2f * (l / 2),
                9.81f * m * (l / 2), of(rub_arm),   of(rub_pendulum)};
        states[v] = {Floats{}, Floats{} + 3, Floats{}, Floats{}};
      }
      Floats rows[flying][together];
      for (int first = 0; first < steps; first += together) {
        const int taken = std::min(together, steps - first);
        for (int k = 0; k < taken; ++k) {
          step(0.0025f, p, states);
          for (int v = 0; v < flying; ++v)
            rows[v][k] = states[v].angle;
        }
        for (int v = 0; v < flying; ++v)
          store_transposed(rows[v], taken, &angles[(i + v * lanes) * steps + first], steps,
                           n - i - v * lanes);
      }
    }
  };
  cases::measure("pendulum", options, kernel,
                 [&] { return cases::digest(angles.data(), n * steps); });
}
