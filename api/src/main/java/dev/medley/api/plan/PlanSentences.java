package dev.medley.api.plan;

import dev.medley.base.Plan;
import dev.medley.base.job.JobSpec;
import dev.medley.base.strategy.BorderCodec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.base.text.Units;
import dev.medley.data.dataset.PreparedData;
import dev.medley.plan.strategy.StrategyModels;
import dev.medley.profile.cluster.Prices;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Puts a plan into words: what, then why. */
final class PlanSentences {
    private PlanSentences() {}

    /** For processes of this machine, which tried the job as it will run. */
    static List<String> of(
            JobSpec job,
            PreparedData data,
            Plan plan,
            JobPlan figures,
            @Nullable Prices prices,
            PlanCluster here) {
        List<String> words = new ArrayList<>(about(job, data, figures));
        words.add(
                say(
                        "workers: %d of %d thread%s each on this machine's %d cores; %s",
                        plan.shares().size(),
                        job.cluster().threads(),
                        job.cluster().threads() == 1 ? "" : "s",
                        Runtime.getRuntime().availableProcessors(),
                        plan.why()));
        String transport =
                job.strategy().transport() == Transport.TCP
                        ? "a ring over TCP, as strategy.transport asks"
                        : "shared memory, since all workers are processes of one machine";
        words.add(strategy(job, transport, 1));
        words.add(length(figures, steps(job)));
        words.add(
                say(
                        "speed: about %,.0f samples/s, measured in a trial with all workers: %s",
                        figures.samplesPerSecond(), trial(figures.trial())));
        words.addAll(duration(job, figures));
        if (prices != null && figures.steps() < Long.MAX_VALUE) {
            double seconds = (double) figures.steps() * figures.trial().stepNs() / 1e9;
            words.add(
                    say(
                            "costs: %,.2f %s of steps on this machine",
                            prices.of(here.machines(), seconds, 0), prices.currency()));
        }
        words.add(
                "other strategies matter between machines: --cluster FILE says what each would do"
                        + " there; on one machine auto takes data-parallel");
        return words;
    }

    /**
     * For other machines, of which one worker here tried the job: how long they would take stands
     * in the table of candidates.
     *
     * @param job as it would run there
     * @param tried the same with the worker that tried it
     * @param machines that are planned for, in words
     * @param sites at which they stand
     */
    static List<String> ofMachines(
            JobSpec job,
            JobSpec tried,
            PreparedData data,
            JobPlan figures,
            String machines,
            int sites) {
        List<String> words = new ArrayList<>(about(job, data, figures));
        words.add(say("machines: %s; what they would do stands below, at candidates", machines));
        words.add(
                say(
                        "tried here: one worker of %d thread%s on this machine's %d cores, which"
                                + " takes all %,d samples between two exchanges",
                        tried.cluster().threads(),
                        tried.cluster().threads() == 1 ? "" : "s",
                        Runtime.getRuntime().availableProcessors(),
                        tried.roundSamples()));
        boolean isOpen = job.strategy().isOpen() && job.cluster().workers() > 1;
        words.add(
                isOpen
                        ? "strategy: auto chooses when the machines are there; what it would take"
                                + " stands below, at auto"
                        : strategy(job, "the links between the machines", sites));
        words.add(length(figures, isOpen ? "batches" : steps(job)) + limit(job, figures));
        words.add(
                say(
                        "speed here: about %,.0f samples/s of that one worker: %s",
                        figures.samplesPerSecond(), trial(figures.trial())));
        return words;
    }

    /** What is the same wherever it runs. */
    private static List<String> about(JobSpec job, PreparedData data, JobPlan figures) {
        return List.of(
                say(
                        "data: %,d training and %,d validation samples (%s)",
                        figures.trainSamples(),
                        figures.validationSamples(),
                        data.format().name().toLowerCase(Locale.ROOT)),
                say(
                        "model: %s with %,d parameters; with gradients and optimizer state %.1f MiB"
                                + " in each worker, and what a batch needs on top",
                        job.model().family(),
                        figures.parameters(),
                        figures.stateBytes() / (double) (1 << 20)));
    }

    private static String length(JobPlan figures, String steps) {
        return say(
                "length: %s%,d %s an epoch",
                figures.steps() == Long.MAX_VALUE
                        ? "until the time is up, "
                        : say("%,d %s, ", figures.steps(), steps),
                figures.stepsPerEpoch(),
                steps);
    }

    /** What a speed rests on, and how far single steps are from it. */
    private static String trial(Trial trial) {
        return say(
                "a step takes %.2f ms, in the mean of %,d (half of them take %.2f to %.2f ms: %s);"
                        + " compute %.2f, exchange %.2f, waiting for others %.2f, for data %.2f"
                        + " ms",
                trial.stepNs() / 1e6,
                trial.steps(),
                trial.quarterNs() / 1e6,
                trial.threeQuartersNs() / 1e6,
                trial.isUnsure() ? "unsure, is the machine busy?" : "steady",
                trial.computeNs() / 1e6,
                trial.exchangeNs() / 1e6,
                trial.waitingNs() / 1e6,
                trial.dataNs() / 1e6);
    }

    private static List<String> duration(JobSpec job, JobPlan figures) {
        if (figures.steps() == Long.MAX_VALUE) {
            return List.of();
        }
        double ns = (double) figures.steps() * figures.trial().stepNs();
        return List.of(
                say(
                        "duration: about %s of steps%s, and evaluations",
                        Units.duration(ns), limit(job, figures)));
    }

    /** Of time, where there is one beside that of steps. */
    private static String limit(JobSpec job, JobPlan figures) {
        double seconds = job.train().budget().seconds();
        return seconds > 0 && figures.steps() < Long.MAX_VALUE
                ? say(", or when %.0f s are up", seconds)
                : "";
    }

    private static String strategy(JobSpec job, String transport, int sites) {
        if (job.cluster().workers() == 1) {
            return "strategy: one worker exchanges with nobody";
        }
        return exchange(job, transport) + compression(job.strategy(), sites);
    }

    private static String compression(StrategySpec strategy, int sites) {
        List<BorderCodec> borders = strategy.codec().borders();
        String named =
                borders.stream()
                        .map(
                                b ->
                                        "from %s to %s as %s"
                                                .formatted(
                                                        b.from(),
                                                        b.to(),
                                                        b.codec().name().toLowerCase(Locale.ROOT)))
                        .collect(Collectors.joining(", "));
        return usualCodec(strategy, sites) + (named.isEmpty() ? "" : "; " + named);
    }

    private static String usualCodec(StrategySpec strategy, int sites) {
        long exact = strategy.codec().exactSteps();
        String when = exact > 0 ? say(" after %d exchanges as they are", exact) : "";
        if (strategy.compress() == Compress.POWERSGD) {
            return say(
                    "; large matrices among them travel as two of %d columns each (powersgd)%s",
                    strategy.codec().rank(), when);
        }
        if (strategy.compress() == Compress.AUTO) {
            return say(
                    "; between sites they travel through one of the codecs %s%s, chosen by the time"
                            + " that their bytes take and by how far training has come",
                    strategy.codec().among().toString().toLowerCase(Locale.ROOT), when);
        }
        return strategy.compress() == Compress.NONE
                ? ""
                : say(
                        "; between sites they travel as %s%s%s%s",
                        strategy.compress().name().toLowerCase(Locale.ROOT),
                        strategy.compress() == Compress.TOPK
                                ? say(" (%s of all)", strategy.codec().density())
                                : "",
                        when,
                        sites > 1
                                ? ""
                                : ", which has no effect while all workers stand at one site");
    }

    private static String exchange(JobSpec job, String transport) {
        return StrategyModels.ofHeld(job.strategy())
                .sentence(job.strategy(), job.innerBatch(), job.cluster().workers(), transport);
    }

    private static String steps(JobSpec job) {
        return job.strategy().round().syncEvery() > 1 ? "rounds" : "steps";
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
