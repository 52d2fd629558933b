package dev.medley.fleet.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Draws Gavel's continuous workload: the same seeds give the jobs that Gavel's simulator draws.
 * Durations on the first machine type are 10^1.5 to 10^3 minutes for four of five jobs and up to
 * 10^4 for the others; arrivals are a Poisson process.
 */
public final class GavelGenerator {
    private static final List<String> KINDS =
            Stream.of(
                            batches("ResNet-18", 16, 32, 64, 128, 256),
                            batches("ResNet-50", 16, 32, 64, 128),
                            batches("Transformer", 16, 32, 64, 128, 256),
                            batches("LM", 5, 10, 20, 40, 80),
                            batches("Recommendation", 512, 1024, 2048, 4096, 8192),
                            Stream.of("A3C", "CycleGAN"))
                    .flatMap(kinds -> kinds)
                    .toList();

    private final GavelRates rates;
    private final PythonRandom jobs;
    private final PythonRandom arrivals;
    private final Sizes sizes;

    /** How many machines jobs need. */
    public enum Sizes {
        /** One each. */
        SINGLE,
        /** One, two, four or eight, as in the Philly trace. */
        PHILLY
    }

    /**
     * @param rates whose first type is the reference for durations
     */
    public GavelGenerator(GavelRates rates, Sizes sizes, long seed) {
        this.rates = rates;
        this.sizes = sizes;
        jobs = new PythonRandom(seed + 2);
        arrivals = new PythonRandom(seed + 3);
    }

    private static Stream<String> batches(String model, int... sizes) {
        return IntStream.of(sizes).mapToObj(s -> "%s (batch size %d)".formatted(model, s));
    }

    /** All kinds of jobs. */
    public static List<String> kinds() {
        return KINDS;
    }

    private static boolean isDistributed(String kind) {
        return !kind.startsWith("Recommendation")
                && !kind.equals("A3C")
                && !kind.equals("CycleGAN");
    }

    /**
     * So many jobs from the first one, which comes at 0.
     *
     * @param meanS between two arrivals
     */
    public List<TraceJob> draw(int count, double meanS) {
        List<TraceJob> drawn = new ArrayList<>();
        double arrivalS = 0;
        for (int id = 0; id < count; id++) {
            drawn.add(job(id, arrivalS));
            arrivalS += meanS * -Math.log(1 - arrivals.random());
        }
        return drawn;
    }

    private TraceJob job(int id, double arrivalS) {
        int workers = workers();
        double durationS =
                60
                        * (jobs.random() >= 0.8
                                ? Math.pow(10, jobs.uniform(3, 4))
                                : Math.pow(10, jobs.uniform(1.5, 3)));
        String kind = KINDS.get(jobs.below(KINDS.size()));
        while (workers > 1 && !isDistributed(kind)) {
            kind = KINDS.get(jobs.below(KINDS.size()));
        }
        double[] byType = rates.of(kind, workers);
        double steps = Math.floor(durationS * byType[0]);
        return new TraceJob(id, kind, workers, arrivalS, Math.max(1, steps), byType);
    }

    private int workers() {
        double drawn = jobs.uniform(0, 1);
        if (sizes == Sizes.SINGLE || drawn < 0.7) {
            return 1;
        }
        return drawn <= 0.8 ? 2 : drawn <= 0.95 ? 4 : 8;
    }
}
