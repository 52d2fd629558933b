package dev.medley.plan.policy;

import dev.medley.base.WorkerId;
import dev.medley.base.text.Units;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.Origin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The machine whose link slowed down: every path out of it, or every path into it, is slower than
 * usual. Those carry less than they usually do by more than the bound, and by more than the bound
 * times what the paths between the others lost meanwhile. If only the path between two machines
 * became slow it is neither's link, and of two machines nobody knows whose it is; where all paths
 * became slow it is nobody's. If several machines fit, the one with most of the slow paths counts.
 * A link that is slower than usual and still fast for what an exchange sends did not make that
 * exchange late.
 *
 * @param workers on that machine; empty if it is nobody's
 * @param why one sentence
 */
public record SlowLink(List<WorkerId> workers, String why) {
    private static final SlowLink NOBODYS =
            new SlowLink(
                    List.of(),
                    "no machine is alone with ways that carry less than they used to, and too"
                            + " little");

    public SlowLink {
        workers = List.copyOf(workers);
    }

    /**
     * An exchange that was late.
     *
     * @param sentBytes by whoever sent most
     * @param ns longer than usual
     */
    public record Late(double sentBytes, double ns) {
        /** No exchange: any link may be slow. */
        public static final Late NONE = new Late(0, 0);

        /**
         * Ways have several exchanges to carry, and a probe says only roughly how fast they are.
         */
        private static final double LEAST_PART = 0.1;

        private static final double NS_PER_S = 1e9;

        /** Whether what a way lost is a good part of the reason. */
        boolean mayComeFrom(double usualBytesPerSecond, double nowBytesPerSecond) {
            double lostNs =
                    NS_PER_S * sentBytes * (1 / nowBytesPerSecond - 1 / usualBytesPerSecond);
            return lostNs >= LEAST_PART * ns;
        }
    }

    /**
     * Judges ways that were just measured.
     *
     * @param usual what they carried before; does not know of the report yet
     * @param bound times by which a link is slower than usual that is slow
     * @param late why anybody looked
     */
    public static SlowLink judge(PathRates usual, LinkReport now, double bound, Late late) {
        List<Fall> falls = falls(usual, now);
        Comparator<Suspect> worst =
                Comparator.comparingInt(Suspect::slowWays)
                        .thenComparingDouble(suspect -> suspect.fall().times());
        return IntStream.range(0, now.workers().size())
                .mapToObj(machine -> suspect(machine, falls, bound))
                .flatMap(List::stream)
                .filter(s -> late.mayComeFrom(s.fall().usual(), s.fall().now()))
                .max(worst)
                .map(suspect -> named(suspect, now))
                .orElse(NOBODYS);
    }

    /** How many times as much a way used to carry. */
    private record Fall(int from, int to, double usual, double now) {
        double times() {
            return usual / now;
        }

        boolean joins(int machine) {
            return from == machine || to == machine;
        }
    }

    /**
     * A machine whose link may be it.
     *
     * @param fall of the way that lost least, of those in the direction that lost most
     * @param slowWays of the machine
     */
    private record Suspect(int machine, Fall fall, int slowWays) {}

    private static List<Fall> falls(PathRates usual, LinkReport now) {
        List<Fall> falls = new ArrayList<>();
        for (int from = 0; from < now.workers().size(); from++) {
            for (int to = 0; to < now.workers().size(); to++) {
                LinkPath way = now.ways().get(from).get(to);
                double before = usual.usual(now.workers().get(from), now.workers().get(to));
                if (from != to && way.origin() == Origin.MEASURED && before > 0) {
                    falls.add(new Fall(from, to, before, way.bytesPerSecond()));
                }
            }
        }
        return falls;
    }

    /** One or none. */
    private static List<Suspect> suspect(int machine, List<Fall> falls, double bound) {
        Comparator<Fall> byTimes = Comparator.comparingDouble(Fall::times);
        List<Fall> leastOfEach = new ArrayList<>();
        falls.stream()
                .filter(fall -> fall.from() == machine)
                .min(byTimes)
                .ifPresent(leastOfEach::add);
        falls.stream()
                .filter(fall -> fall.to() == machine)
                .min(byTimes)
                .ifPresent(leastOfEach::add);
        OptionalDouble others = middle(falls.stream().filter(f -> !f.joins(machine)).toList());
        double least = bound * Math.max(1, others.orElse(Double.POSITIVE_INFINITY));
        int slowWays =
                (int) falls.stream().filter(f -> f.joins(machine) && f.times() > bound).count();
        return leastOfEach.stream()
                .max(byTimes)
                .filter(fall -> fall.times() > least)
                .map(fall -> new Suspect(machine, fall, slowWays))
                .stream()
                .toList();
    }

    /** The lower of two, where two are in the middle. */
    private static OptionalDouble middle(List<Fall> falls) {
        double[] times = falls.stream().mapToDouble(Fall::times).sorted().toArray();
        return times.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(times[(times.length - 1) / 2]);
    }

    private static SlowLink named(Suspect suspect, LinkReport now) {
        List<WorkerId> workers =
                now.workers().get(suspect.machine()).stream().map(WorkerId::new).toList();
        Fall fall = suspect.fall();
        String why =
                String.format(
                        Locale.ROOT,
                        "the link of %s carries %s %s, %s were usual",
                        workers.stream().map(WorkerId::toString).collect(Collectors.joining(", ")),
                        Units.bytesPerSecond(fall.now()),
                        fall.from() == suspect.machine() ? "out of it" : "to it",
                        Units.bytesPerSecond(fall.usual()));
        return new SlowLink(workers, why);
    }
}
