package dev.medley.cli.command;

import dev.medley.api.run.ClusterSurvey;
import dev.medley.api.run.ClusterSurvey.Found;
import dev.medley.cli.doctor.Doctor;
import dev.medley.cli.doctor.Finding;
import dev.medley.cli.doctor.Finding.Verdict;
import dev.medley.cli.option.ClusterOptions;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.option.RunsOption;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Checks whether this machine can train, or whether the machines of a cluster reach each other. */
@Command(
        name = "doctor",
        header = "Check whether this machine can train, and say what to do where it cannot.",
        description = {
            "",
            "Looks at the JDK, LibTorch's native libraries, cores, memory, shared memory, disk and",
            "sockets. The first time, loading LibTorch unpacks it, which takes some seconds.",
            "",
            "With --cluster: waits for machines to join (medley agent), and lets each dial each"
                    + " other",
            "at the address and port that it advertises."
        },
        footer = {
            "",
            "Examples:",
            "  medley doctor",
            "  medley doctor --run-dir /data/runs",
            "  medley doctor --json",
            "  medley doctor --cluster --listen 0.0.0.0:7077 --expect 4 --credentials"
                    + " certs/trainer",
            "",
            "Exit code 1 if training will not work, or a machine cannot reach another."
        })
public final class DoctorCommand extends Options implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    @Mixin private RunsOption runs = new RunsOption();
    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public DoctorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        return cluster.isMeant() ? ofCluster() : ofThisMachine();
    }

    private int ofCluster() {
        Found found = ClusterSurvey.reach(cluster.join(), cluster.machines(), terminal::say);
        if (!json.printed(terminal, found)) {
            terminal.print(ReachTable.text(found).stripTrailing());
        }
        return found.allReached() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private int ofThisMachine() {
        List<Finding> findings = new Doctor(runs.folder()).examine();
        if (!json.printed(terminal, findings)) {
            findings.forEach(this::print);
        }
        return Doctor.worst(findings) == Verdict.BAD ? ExitCode.FAILED : ExitCode.DONE;
    }

    private void print(Finding finding) {
        String mark =
                switch (finding.verdict()) {
                    case GOOD -> terminal.styled("green", "good");
                    case POOR -> terminal.styled("yellow", "poor");
                    case BAD -> terminal.styled("red", "bad ");
                };
        terminal.print("%s  %-13s  %s".formatted(mark, finding.check(), finding.found()));
        if (!finding.remedy().isEmpty()) {
            terminal.print(" ".repeat(21) + finding.remedy());
        }
    }
}
