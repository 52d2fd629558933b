package dev.medley.cli.command;

import dev.medley.cli.doctor.Doctor;
import dev.medley.cli.doctor.Finding;
import dev.medley.cli.doctor.Finding.Verdict;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Looks whether this machine can train. */
@Command(
        name = "doctor",
        header = "Check whether this machine can train, and say what to do where it cannot.",
        description = {
            "",
            "Looks at the JDK, LibTorch's native libraries, cores, memory, shared memory, disk and",
            "sockets. The first time, loading LibTorch unpacks it, which takes some seconds."
        },
        footer = {
            "",
            "Examples:",
            "  medley doctor",
            "  medley doctor --run-dir /data/runs",
            "  medley doctor --json",
            "",
            "Exit code 1 if training will not work."
        })
public final class DoctorCommand extends Options implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();

    @Mixin private RunsOption runs = new RunsOption();
    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public DoctorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
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
