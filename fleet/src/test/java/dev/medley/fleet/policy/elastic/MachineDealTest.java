package dev.medley.fleet.policy.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.JobProgress;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.Terms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Dealing with bounds gives what looking at every job and type at each step gives. */
@Tag("property")
class MachineDealTest {
    private static final double ROUNDING = 1e-12;

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldDealAndSwapAsOneWhoLooksAtAll(long seed) {
        for (int round = 0; round < 10; round++) {
            List<MachineShare> shares = shares(100 * seed + round);
            List<MachineShare> plain = shares(100 * seed + round);
            int[] free = free(100 * seed + round);
            int[] left = free.clone();
            MachineDeal.deal(shares, free);
            deal(plain, left);
            assertThat(free).isEqualTo(left);
            assertThat(machines(shares)).isEqualTo(machines(plain));
            MachineDeal.exchange(shares, free.length);
            exchange(plain, free.length);
            assertThat(machines(shares)).isEqualTo(machines(plain));
        }
    }

    private static List<List<Integer>> machines(List<MachineShare> shares) {
        return shares.stream()
                .map(share -> Arrays.stream(share.machines()).boxed().toList())
                .toList();
    }

    private static int[] free(long seed) {
        RandomGenerator random = Seeds.generator(seed, 5);
        return random.ints(2 + random.nextInt(3), 0, 12).toArray();
    }

    private static List<MachineShare> shares(long seed) {
        RandomGenerator random = Seeds.generator(seed, 6);
        int types = free(seed).length;
        List<MachineShare> shares = new ArrayList<>();
        for (int id = 0; id < 1 + random.nextInt(25); id++) {
            double[] rates = new double[types];
            int[] held = new int[types];
            for (int type = 0; type < types; type++) {
                // Equal ones, too, so that ties are drawn.
                rates[type] = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(4);
                held[type] = random.nextInt(3) == 0 ? random.nextInt(3) : 0;
            }
            int least = 1 + random.nextInt(2);
            double work = random.nextInt(5) == 0 ? Double.NaN : 200 * random.nextDouble();
            MachineShare share =
                    new MachineShare(
                            new JobView(
                                    id,
                                    "k",
                                    new Demand(least, least + random.nextInt(5)),
                                    rates,
                                    held,
                                    new JobProgress(0, 0, 10, work, random.nextInt(30)),
                                    Terms.NONE),
                            ElasticOptions.DEFAULTS);
            share.price(random.nextInt(4) * 0.5);
            shares.add(share);
        }
        return shares;
    }

    /** Looks at each job and type at each step. */
    private static void deal(List<MachineShare> shares, int[] free) {
        double[][] gains = new double[shares.size()][free.length];
        for (int i = 0; i < gains.length; i++) {
            Arrays.setAll(gains[i], shares.get(i)::gain);
        }
        while (true) {
            int best = -1;
            int with = -1;
            double most = ROUNDING;
            for (int i = 0; i < gains.length; i++) {
                for (int type = 0; type < free.length; type++) {
                    if (gains[i][type] > most && shares.get(i).fits(type, free)) {
                        best = i;
                        with = type;
                        most = gains[i][type];
                    }
                }
            }
            if (best < 0) {
                return;
            }
            MachineShare share = shares.get(best);
            int[] next = share.next(with);
            free[with] -= next[with] - share.machines()[with];
            share.give(next);
            Arrays.setAll(gains[best], share::gain);
        }
    }

    /** Looks at each job for each pair of types. */
    private static void exchange(List<MachineShare> shares, int types) {
        for (int pass = 0; pass < shares.size(); pass++) {
            boolean swapped = false;
            for (int from = 0; from < types; from++) {
                for (int to = from + 1; to < types; to++) {
                    swapped |= exchangeBest(shares, from, to);
                }
            }
            if (!swapped) {
                return;
            }
        }
    }

    private static boolean exchangeBest(List<MachineShare> shares, int from, int to) {
        MachineShare there = shares.get(0);
        MachineShare back = shares.get(0);
        for (MachineShare share : shares) {
            there = share.gainOfSwap(from, to) > there.gainOfSwap(from, to) ? share : there;
            back = share.gainOfSwap(to, from) > back.gainOfSwap(to, from) ? share : back;
        }
        double gain = there.gainOfSwap(from, to) + back.gainOfSwap(to, from);
        if (there.equals(back) || gain <= ROUNDING) {
            return false;
        }
        there.swap(from, to);
        back.swap(to, from);
        return true;
    }
}
