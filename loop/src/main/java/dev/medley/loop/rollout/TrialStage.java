package dev.medley.loop.rollout;

import dev.medley.loop.decide.TrialPolicy;
import dev.medley.loop.spec.TrialSpec;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.stage.StageEnd;
import dev.medley.serving.registry.RegistryEvent;
import dev.medley.serving.registry.TrafficPlan;
import dev.medley.serving.traffic.TrafficStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads what servers have seen of a version that is tried, and lets it go on, take the place of the
 * old one, or end.
 */
public final class TrialStage implements LoopStage {
    /** Its name, and that of its decision. */
    public static final String NAME = "trial";

    /** What is decided by, for the history. */
    private record Numbers(VersionTrial trial, List<TrafficStatus> servers) {}

    private final Trials trials;
    private final TrialSpec spec;

    /** Of a loop that tries versions. */
    public TrialStage(Trials trials, TrialSpec spec) {
        this.trials = trials;
        this.spec = spec;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        Optional<VersionTrial> now = trials.now(context);
        if (now.isEmpty()) {
            return StageEnd.skipped("no version is tried");
        }
        VersionTrial trial = now.get();
        int production = trials.models().production().orElse(0);
        if (production == trial.version()) {
            trials.promoted(context);
            return ended(context, trial, "promote", "answers from now on: " + why(production));
        }
        if (production != trial.champion()) {
            trials.end(context);
            return ended(
                    context, trial, "end", "is tried no more: version " + production + " answers");
        }
        Optional<TrafficPlan> plan = trials.plan().filter(p -> p.challenger() == trial.version());
        return plan.isEmpty()
                ? rolledBack(context, trial, List.of(), settled())
                : judged(context, trial, plan.get());
    }

    private StageEnd judged(StageContext context, VersionTrial trial, TrafficPlan plan)
            throws IOException {
        String name = trials.models().name();
        List<TrafficStatus> servers = trials.deeds().told(name, plan, TrafficStatus.class);
        Duration been = Duration.ofMillis(trials.clock().wallMillis() - trial.beganMs());
        TrialPolicy.Decision decision =
                plan.form() == TrafficPlan.Form.SHADOW
                        ? TrialPolicy.shadow(
                                Objects.requireNonNullElse(spec.shadow(), Duration.ZERO),
                                been,
                                servers.stream()
                                        .map(TrafficStatus::shadow)
                                        .filter(Objects::nonNull)
                                        .toList())
                        : TrialPolicy.canary(
                                spec.canary() == null ? Duration.ZERO : spec.canary().atMost(),
                                been,
                                servers.stream().map(TrafficStatus::decision).toList());
        return switch (decision.step()) {
            case WAIT -> said(context, trial, servers, "wait", "goes on: " + decision.why());
            case ROLL_BACK -> {
                trials.settle(decision.why());
                yield rolledBack(context, trial, servers, decision.why());
            }
            case PASS -> passed(context, trial, servers, decision.why());
        };
    }

    private StageEnd passed(
            StageContext context, VersionTrial trial, List<TrafficStatus> servers, String why) {
        if (spec.canary() != null) {
            String words = trials.canary(context, trial.version(), why);
            return said(
                    context, trial, servers, "canary", "has come through " + why + "; " + words);
        }
        trials.promote(context, trial.version(), why);
        return said(context, trial, servers, "promote", "answers from now on: " + why);
    }

    private StageEnd rolledBack(
            StageContext context, VersionTrial trial, List<TrafficStatus> servers, String why)
            throws IOException {
        trials.holds().begin(context, trial.version(), why);
        trials.end(context);
        return said(context, trial, servers, "roll back", "is not taken: " + why);
    }

    private StageEnd ended(StageContext context, VersionTrial trial, String verdict, String words) {
        return said(context, trial, List.of(), verdict, words);
    }

    private static StageEnd said(
            StageContext context,
            VersionTrial trial,
            List<TrafficStatus> servers,
            String verdict,
            String words) {
        String what = "version %d %s".formatted(trial.version(), words);
        Numbers numbers = new Numbers(trial, servers);
        context.decide(NAME, verdict, what, numbers);
        return StageEnd.done(what, numbers);
    }

    private String why(int version) {
        return trials.models()
                .productionAt(Long.MAX_VALUE)
                .filter(event -> event.version() == version)
                .map(event -> event.why() + " (" + event.by() + ")")
                .orElse("");
    }

    /** Why the plan has ended, as who ended it says. */
    private String settled() {
        LoopModels models = trials.models();
        return models.registry().history(models.name()).stream()
                .filter(event -> event.kind() == RegistryEvent.Kind.SETTLED)
                .reduce((earlier, later) -> later)
                .map(event -> event.why() + " (" + event.by() + ")")
                .orElse("its plan of traffic is gone");
    }
}
