package dev.medley.cli.loop;

import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.loop.continuous.PublishStage;
import dev.medley.loop.continuous.RunningStanding;
import dev.medley.loop.run.Loop;
import dev.medley.loop.stage.VersionFacts;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageRecord;
import dev.medley.serving.registry.RegistryEvent;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows where a loop stands. */
@Command(
        name = "status",
        header =
                "Show where a loop stands: its last run, stage by stage, and the model that"
                        + " answers.",
        footer = {
            "",
            "Examples:",
            "  medley loop status churn.yaml",
            "  medley loop status churn.yaml --at 2026-11-01",
            "  medley loop status churn.yaml --at 2026-11-01T09:30:00Z"
        })
final class LoopStatusCommand extends Options implements Callable<Integer> {
    /** What scripts see. */
    record Status(
            String loop,
            @Nullable LoopRun run,
            List<StageRecord> stages,
            @Nullable Integer production,
            @Nullable VersionFacts made,
            @Nullable RunningStanding running) {}

    /** What scripts see of a time. */
    record Answered(
            String loop, Instant at, @Nullable RegistryEvent deed, @Nullable VersionFacts made) {}

    @Mixin private JsonOption json = new JsonOption();
    @Mixin private LoopOption loop = new LoopOption();

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "Which model answered then: a time, or a day for its end, in UTC.")
    private @Nullable String at;

    private final Terminal terminal;

    LoopStatusCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        try (Loop opened = loop.open()) {
            if (at != null) {
                return answered(opened, LoopOption.moment("--at", at));
            }
            Optional<LoopRun> run = opened.state().runs(1).stream().findFirst();
            Optional<Integer> production = opened.models().production();
            Status status =
                    new Status(
                            opened.spec().name(),
                            run.orElse(null),
                            run.map(r -> opened.state().stages(r.number())).orElse(List.of()),
                            production.orElse(null),
                            opened.models().productionFacts(opened.state()).orElse(null),
                            opened.spec().continuous() == null
                                    ? null
                                    : RunningStanding.of(opened.state()).orElse(null));
            if (!json.printed(terminal, status)) {
                print(status, names(opened, status));
            }
            return ExitCode.DONE;
        }
    }

    /** Stages of the run: a rollback and a publication have others than a run has. */
    private static List<String> names(Loop opened, Status status) {
        List<String> began = status.stages().stream().map(StageRecord::name).toList();
        List<String> usual = opened.stageNames();
        boolean isPublication =
                status.run() != null && status.run().cause().equals(PublishStage.NAME);
        return usual.containsAll(began) && !isPublication ? usual : began;
    }

    private int answered(Loop opened, Instant time) {
        Optional<RegistryEvent> deed = opened.models().productionAt(time.toEpochMilli());
        Answered answered =
                new Answered(
                        opened.spec().name(),
                        time,
                        deed.orElse(null),
                        deed.flatMap(e -> opened.models().facts(opened.state(), e.version()))
                                .orElse(null));
        if (!json.printed(terminal, answered)) {
            terminal.print(
                    deed.map(
                                    e ->
                                            "version %d of %s answered at %s, since %s by %s: %s"
                                                    .formatted(
                                                            e.version(),
                                                            opened.spec().name(),
                                                            time,
                                                            e.at(),
                                                            e.by(),
                                                            e.why()))
                            .orElse("no model was in production at " + time));
            if (answered.made() != null) {
                terminal.print(made(answered.made()));
            }
        }
        return ExitCode.DONE;
    }

    private void print(Status status, List<String> names) {
        LoopRun run = status.run();
        if (run == null) {
            terminal.print("loop %s has not run yet".formatted(status.loop()));
            return;
        }
        terminal.print(
                "loop %s, run %d, %s, began %s"
                        .formatted(
                                status.loop(),
                                run.number(),
                                run.outcome().name().toLowerCase(Locale.ROOT),
                                LoopOption.time(run.beganMs())));
        for (String name : names) {
            Optional<StageRecord> stage =
                    status.stages().stream().filter(s -> s.name().equals(name)).findFirst();
            terminal.print(
                    "  %-18s %-8s %s"
                            .formatted(
                                    name,
                                    stage.map(s -> s.outcome().name().toLowerCase(Locale.ROOT))
                                            .orElse("waits"),
                                    stage.map(StageRecord::why).orElse("")));
        }
        terminal.print(model(status));
        RunningStanding running = status.running();
        if (running != null) {
            terminal.print("running model: " + running.words());
        }
    }

    private static String model(Status status) {
        if (status.production() == null) {
            return "no model is in production";
        }
        VersionFacts made = status.made();
        String what = "version %d of %s answers".formatted(status.production(), status.loop());
        return made == null ? what + "; the loop did not make it" : what + "; " + made(made);
    }

    private static String made(VersionFacts made) {
        return "trained %s on %,d rows of %s"
                .formatted(
                        LoopOption.time(made.trainedAtMs()),
                        made.trainedRows(),
                        String.join(", ", made.sources()));
    }
}
