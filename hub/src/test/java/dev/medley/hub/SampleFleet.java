package dev.medley.hub;

import dev.medley.fleet.state.JobPhase;
import dev.medley.fleet.state.Tenure;
import dev.medley.hub.service.JobFigures;
import dev.medley.hub.service.JobStatus;
import dev.medley.hub.service.MachineStatus;
import dev.medley.hub.service.Submission;
import dev.medley.hub.service.SubmitTerms;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fills a hub with 12 machines of four types and 20 jobs: 7 run, 6 wait, one is paused, 6 ended.
 */
public final class SampleFleet {
    /** A name that would run, if anything took it for markup. */
    public static final String HOSTILE = "<img src=x onerror=\"document.title='broken'\">";

    private static final double NOW_S = MemoryHub.NOW_S;
    private static final String[] TYPES = {"epyc-64", "rtx-4090", "a100-80", "laptop"};
    private static final String[] USERS = {"ada", "grace", "edsger"};

    private SampleFleet() {}

    /** A hub as it would be in the middle of a day. */
    public static MemoryHub hub() {
        MemoryHub hub = new MemoryHub();
        for (int i = 0; i < 12; i++) {
            hub.put(machine(i));
        }
        for (int id = 1; id <= 20; id++) {
            hub.put(job(id));
        }
        for (int i = 0; i < 10; i++) {
            double changeS = NOW_S - 3600 * (1 + i % 4) - 400 * i;
            hub.put(
                    new Tenure(
                            name(i),
                            1 + i % 6,
                            changeS - 3600 * (2 + i % 3),
                            changeS,
                            "first in the queue"));
            if (i < 9) {
                hub.put(new Tenure(name(i), running(i), changeS + 60, null, "fastest here"));
            }
        }
        hub.count(0.012, 95);
        hub.count(0.003, 4000);
        return hub;
    }

    private static String name(int machine) {
        return TYPES[machine / 3] + "-" + (1 + machine % 3);
    }

    /** The job that a machine serves: the first seven jobs after those that ended. */
    private static long running(int machine) {
        return 7L + machine % 7;
    }

    private static MachineStatus machine(int i) {
        boolean isBusy = i < 9;
        String health =
                i == 4
                        ? "leaving: its provider takes it away in 90 s"
                        : i == 11 ? "lost: not heard for 4 min" : isBusy ? "busy" : "free";
        return new MachineStatus(
                name(i),
                TYPES[i / 3],
                i % 2 == 0 ? "office" : "cloud",
                health,
                isBusy ? List.of(running(i)) : List.of(),
                i == 4 || i == 7,
                price(i / 3),
                i == 11 ? 240 : 0.4);
    }

    /** Of the first three types; nobody said what a laptop costs. */
    private static @Nullable Double price(int type) {
        return type == 3 ? null : Double.valueOf(0.4 + 0.9 * type);
    }

    private static JobStatus job(int id) {
        JobPhase phase = phase(id);
        int position = phase == JobPhase.QUEUED ? id - 13 : 0;
        return new JobStatus(
                id,
                submission(id),
                phase,
                position,
                why(phase),
                machines(id),
                figures(id, phase),
                "");
    }

    private static JobPhase phase(int id) {
        if (id <= 4) {
            return JobPhase.DONE;
        }
        return switch (id) {
            case 5 -> JobPhase.FAILED;
            case 6 -> JobPhase.CANCELLED;
            case 20 -> JobPhase.PAUSED;
            default -> id <= 13 ? JobPhase.RUNNING : JobPhase.QUEUED;
        };
    }

    private static List<String> machines(int id) {
        List<String> held = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            if (running(i) == id) {
                held.add(name(i));
            }
        }
        return held;
    }

    private static Submission submission(int id) {
        String[] names = {"adult", "fashion cnn", "shakespeare", "ratings", "forecast"};
        String name = id == 14 ? HOSTILE : names[id % 5] + " " + id;
        SubmitTerms terms =
                new SubmitTerms(
                        id % 2 == 0 ? "vision" : "",
                        id % 4 == 0 ? 2 : 0,
                        id % 3 == 0 ? Double.valueOf(NOW_S + 1440.0 * id) : null,
                        id == 9 || id == 10 ? Double.valueOf(50.0 * id - 440) : null);
        return new Submission(name, "name: a", "/", USERS[id % 3], terms, id % 3, id % 3 + 1);
    }

    private static String why(JobPhase phase) {
        return switch (phase) {
            case DONE -> "all 12 epochs were trained";
            case FAILED -> "the loss is not a number in step 812 on laptop-2, samples 3200 to 3455";
            case CANCELLED -> "cancelled by its user; the last checkpoint is of step 4,000";
            case PAUSED -> "paused by its user, with a checkpoint of step 1,200";
            case QUEUED -> "needs two machines with a GPU, and one is free";
            default -> "0.93 of its best rate here, and nobody else gains more from these machines";
        };
    }

    private static JobFigures figures(int id, JobPhase phase) {
        boolean hasRun = phase != JobPhase.QUEUED;
        boolean isRunning = phase == JobPhase.RUNNING;
        double submitted = NOW_S - 1500.0 * (24 - id);
        @Nullable Double loss = null;
        if (hasRun && id != 13) {
            loss = id == 5 ? Double.NaN : 2.2 / id;
        }
        return new JobFigures(
                submitted,
                hasRun ? submitted + 300 : null,
                phase.isOver() ? submitted + 300 + 2000.0 * id : null,
                phase == JobPhase.DONE ? 1 : hasRun ? id / 21.0 : 0,
                isRunning ? 900.0 * id : 0,
                isRunning && id != 12 ? Double.valueOf(600.0 * id) : null,
                hasRun ? 1.7 * id % 11 : 0,
                loss);
    }
}
