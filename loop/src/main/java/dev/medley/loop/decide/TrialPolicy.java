package dev.medley.loop.decide;

import dev.medley.serving.traffic.ShadowFigures;
import java.time.Duration;
import java.util.List;

/** Decides whether a model that was tried in the shadow, or as a canary, goes on. */
public final class TrialPolicy {
    /** What becomes of the model that is tried. */
    public enum Step {
        /** Nothing is decided yet. */
        WAIT,
        /** It has come through. */
        PASS,
        /** It is not taken. */
        ROLL_BACK
    }

    /**
     * A decision.
     *
     * @param why a sentence with the figures
     */
    public record Decision(Step step, String why) {}

    /** Fewer requests say nothing. */
    static final long LEAST_REQUESTS = 100;

    private static final double MOST_FAILED = 0.01;
    private static final double PERCENT = 100;

    private TrialPolicy() {}

    /**
     * What becomes of a model in the shadow: it passes where the time is over, servers have
     * compared enough requests, and it failed in hardly any.
     *
     * @param servers what each has seen
     */
    public static Decision shadow(Duration asked, Duration been, List<ShadowFigures.Sum> servers) {
        long requests = servers.stream().mapToLong(ShadowFigures.Sum::requests).sum();
        long failed = servers.stream().mapToLong(ShadowFigures.Sum::failed).sum();
        long rows = servers.stream().mapToLong(ShadowFigures.Sum::rows).sum();
        double agreeing =
                servers.stream().mapToDouble(s -> s.agreement() * s.rows()).sum()
                        / Math.max(1, rows);
        double apart =
                servers.stream().mapToDouble(s -> s.meanDifference() * s.rows()).sum()
                        / Math.max(1, rows);
        String seen =
                ("%,d requests, %,d of which it could not answer; %.1f %% of %,d rows agree,"
                                + " numbers are %.4f apart")
                        .formatted(requests + failed, failed, PERCENT * agreeing, rows, apart);
        boolean isEnough = requests + failed >= LEAST_REQUESTS;
        if (isEnough && failed > MOST_FAILED * (requests + failed)) {
            return new Decision(Step.ROLL_BACK, "it fails in the shadow: " + seen);
        }
        if (been.compareTo(asked) < 0) {
            return new Decision(
                    Step.WAIT,
                    "%s of %s in the shadow: %s".formatted(time(been), time(asked), seen));
        }
        if (!isEnough) {
            return new Decision(
                    Step.WAIT,
                    "its %s in the shadow are over, and fewer than %d requests say nothing: %s"
                            .formatted(time(asked), LEAST_REQUESTS, seen));
        }
        return new Decision(Step.PASS, "%s in the shadow: %s".formatted(time(been), seen));
    }

    /**
     * What becomes of a canary that servers have not decided about.
     *
     * @param servers what each says of it
     */
    public static Decision canary(Duration atMost, Duration been, List<String> servers) {
        String said =
                servers.isEmpty() ? "no server has told of it yet" : String.join("; ", servers);
        return been.compareTo(atMost) < 0
                ? new Decision(Step.WAIT, "a canary for %s: %s".formatted(time(been), said))
                : new Decision(
                        Step.ROLL_BACK, "not decided within %s: %s".formatted(time(atMost), said));
    }

    private static String time(Duration time) {
        if (time.toHours() >= 1) {
            return time.toHours() + " h";
        }
        return time.toMinutes() >= 1 ? time.toMinutes() + " min" : time.toSeconds() + " s";
    }
}
