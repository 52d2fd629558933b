package dev.medley.plan.forecast;

import dev.medley.base.text.Units;
import dev.medley.plan.efficiency.Efficiency;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The forecast of a job under one strategy.
 *
 * @param name of the candidate, for people
 * @param candidate the strategy
 * @param rate how fast samples are used up
 * @param traffic what moves for each of them
 * @param efficiency the value of a sample, and the source of that figure
 * @param effectiveSamplesPerSecond the rate times what counts of the efficiency: what candidates
 *     are compared by
 * @param budget what the job's budget comes to; null if nothing is known of it
 * @param why one sentence
 */
public record Forecast(
        String name,
        Candidate candidate,
        Rate rate,
        Traffic traffic,
        Efficiency efficiency,
        double effectiveSamplesPerSecond,
        @Nullable Spend budget,
        String why) {
    /**
     * How fast samples are used up.
     *
     * @param stepNs of a step of {@code train.batch} samples, exchanges included
     * @param computeNs of it in which the busiest machine computes
     * @param samplesPerSecond over all machines
     * @param waitShare part of the step in which even the busiest machine does not compute
     */
    public record Rate(
            double stepNs, double computeNs, double samplesPerSecond, double waitShare) {}

    /**
     * What moves.
     *
     * @param betweenBytesPerSample that leave sites for others, all sites together
     * @param insideBytesPerSample inside sites
     * @param links from site to site; their sum is {@code betweenBytesPerSample}
     */
    public record Traffic(
            double betweenBytesPerSample, double insideBytesPerSample, List<Link> links) {
        public Traffic {
            links = List.copyOf(links);
        }

        /** The most that a link carries for a sample; 0 where there is one site. */
        public double busiestBytesPerSample() {
            return links.stream().mapToDouble(Link::bytesPerSample).max().orElse(0);
        }
    }

    /** What goes from one site to another. */
    public record Link(String from, String to, double bytesPerSample) {}

    /**
     * What the job's budget comes to.
     *
     * @param samples that it allows under this strategy
     * @param seconds that they take; evaluations and starting are not in it
     * @param rounds exchanges of it
     * @param bytesBetweenSites of it
     * @param money for machines and traffic; null where no prices were given
     * @param currency of it; null where no prices were given
     */
    public record Spend(
            double samples,
            double seconds,
            double rounds,
            double bytesBetweenSites,
            @Nullable Double money,
            @Nullable String currency) {}

    /** The same at another rate, whatever the reason. */
    Forecast making(double samplesPerSecond) {
        double slower = rate.samplesPerSecond() / samplesPerSecond;
        return new Forecast(
                name,
                candidate,
                new Rate(
                        rate.stepNs() * slower,
                        rate.computeNs() * slower,
                        samplesPerSecond,
                        rate.waitShare()),
                traffic,
                efficiency,
                samplesPerSecond * efficiency.counted(),
                budget,
                why);
    }

    static String sentence(Candidate candidate, Rate rate, Traffic traffic, Efficiency worth) {
        return String.format(
                Locale.ROOT,
                "%s: %,.0f samples/s, a step of the batch in %s of which %s are computing;"
                        + " %,.0f bytes a sample between sites; a sample counts %s",
                candidate.name(),
                rate.samplesPerSecond(),
                Units.duration(rate.stepNs()),
                Units.duration(rate.computeNs()),
                traffic.betweenBytesPerSample(),
                worth.words());
    }
}
