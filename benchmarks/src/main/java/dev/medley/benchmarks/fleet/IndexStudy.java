package dev.medley.benchmarks.fleet;

import dev.medley.benchmarks.fleet.GavelCells.League;
import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.policy.index.IndexOptions;
import dev.medley.fleet.policy.index.IndexPolicy;
import dev.medley.fleet.policy.share.SharePolicies;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Tunes the index's exponents on seeds of 100 and above, or measures policies on seeds 0, 1 and 2.
 *
 * <p>{@code IndexStudy DATA tune LEAGUE} prints a grid; {@code IndexStudy DATA measure SEEDS
 * POLICIES BETA STAY BETA_UNDECLARED STAY_UNDECLARED} the table.
 */
public final class IndexStudy {
    private static final List<Double> RATES = List.of(4.8, 5.2, 5.6, 6.0);

    private final GavelCells cells;

    private IndexStudy(GavelCells cells) {
        this.cells = cells;
    }

    /** Prints CSV. */
    public static void main(String[] arguments) {
        IndexStudy study = new IndexStudy(new GavelCells(Path.of(arguments[0]), 36, 36, 36));
        System.out.println(GavelCells.HEADER);
        if (arguments[1].equals("tune")) {
            study.tune(League.valueOf(arguments[2]));
        } else {
            study.measure(
                    Arrays.stream(arguments[2].split(",")).mapToLong(Long::parseLong).toArray(),
                    List.of(arguments[3].split(",")),
                    options(arguments[4], arguments[5]),
                    options(arguments[6], arguments[7]));
        }
    }

    private static IndexOptions options(String beta, String stay) {
        return new IndexOptions(1, Double.parseDouble(beta), Double.parseDouble(stay));
    }

    private void tune(League league) {
        for (double beta : List.of(0.0, 0.03, 0.06, 0.1, 0.15, 0.25)) {
            for (double stay : List.of(0.0, 0.05)) {
                for (double perHour : RATES) {
                    for (long seed = 100; seed < 104; seed++) {
                        index("tune", new IndexOptions(1, beta, stay), league, 0, perHour, seed);
                    }
                }
            }
        }
        for (double alpha : List.of(0.7, 1.5)) {
            for (double perHour : RATES) {
                for (long seed = 100; seed < 104; seed++) {
                    index("tune", new IndexOptions(alpha, 0.06, 0), league, 0, perHour, seed);
                }
            }
        }
    }

    private void index(
            String study,
            IndexOptions options,
            League league,
            double restartS,
            double perHour,
            long seed) {
        String knobs = options.alpha() + "," + options.beta() + "," + options.stay();
        cells.print(
                study, new IndexPolicy("index", options), knobs, league, restartS, perHour, seed);
    }

    private void measure(
            long[] seeds, List<String> policies, IndexOptions declared, IndexOptions undeclared) {
        for (long seed : seeds) {
            for (double perHour : RATES) {
                index("measure", declared, League.DECLARED, 0, perHour, seed);
                index("measure", declared, League.DECLARED, 30, perHour, seed);
                index("measure", declared, League.NOISY, 0, perHour, seed);
                index("measure", undeclared, League.UNDECLARED, 0, perHour, seed);
                index("measure", undeclared, League.UNDECLARED, 30, perHour, seed);
                for (String word : policies) {
                    cells.print(
                            "measure",
                            Policies.named(word, SharePolicies.GAVEL_RESET_S),
                            ",,",
                            League.DECLARED,
                            0,
                            perHour,
                            seed);
                }
                index("pure", new IndexOptions(1, 0, 0), League.DECLARED, 0, perHour, seed);
            }
        }
    }
}
