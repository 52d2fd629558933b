package dev.medley.profile.machine;

import dev.medley.profile.machine.MachineProfileCache.Kept;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision whether the measurements of a machine still hold.
 *
 * @param speeds that hold; null if it is to be measured
 * @param why a clause that continues "the machine was"
 */
record CachedMeasurement(@Nullable MachineSpeeds speeds, String why) {
    /** The machine was measured because somebody asked for it. */
    static final String ASKED = "measured as asked, for runs on this machine too";

    private static final int SPOKEN_CHANGES = 2;

    /**
     * Decides.
     *
     * @param now the machine as it is
     * @param found what was measured of exactly this machine not long ago; null for nothing
     * @param latest what was measured last of this host; null for nothing
     */
    static CachedMeasurement of(
            MachineIdentity now, @Nullable MachineSpeeds found, @Nullable Kept latest) {
        if (found != null) {
            return new CachedMeasurement(
                    found, "measured on " + day(found) + ", nothing has changed since");
        }
        if (latest == null) {
            return new CachedMeasurement(null, "measured for the first time");
        }
        List<String> changes = now.changesSince(latest.identity());
        String cause =
                changes.isEmpty()
                        ? "what was measured on %s is more than %d days old"
                                .formatted(day(latest.speeds()), MachineProfileCache.DAYS)
                        : spoken(changes);
        return new CachedMeasurement(null, "measured anew: " + cause);
    }

    /** A new system changes much at once: the likeliest two say enough. */
    private static String spoken(List<String> changes) {
        int more = changes.size() - SPOKEN_CHANGES;
        return more <= 0
                ? String.join(", ", changes)
                : String.join(", ", changes.subList(0, SPOKEN_CHANGES)) + ", and " + more + " more";
    }

    private static String day(MachineSpeeds speeds) {
        Instant moment = Instant.ofEpochMilli(speeds.wallMillis());
        return LocalDate.ofInstant(moment, ZoneOffset.UTC).toString();
    }
}
