package dev.medley.profile.machine;

import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.profile.KeptFolder;
import dev.medley.profile.machine.MachineProfile.Scope;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what was measured of machines in a folder of the user ({@link KeptFolder}): a small file
 * for each identity of each host. One of another version, or older than {@value #DAYS} days, counts
 * as none. A thorough measurement does not give way to a quick one.
 *
 * <p>Thread: any.
 */
final class MachineProfileCache {
    static final int DAYS = 30;

    /** Raise it when something is measured in another way, or by another library. */
    private static final int FORMAT = 1;

    private final KeptFolder kept;
    private final Clock clock;

    /**
     * A file.
     *
     * @param format of this file, and of the ways to measure
     * @param identity of the machine then
     * @param speeds that it had
     */
    record Kept(int format, MachineIdentity identity, MachineSpeeds speeds) {
        Kept {
            Objects.requireNonNull(identity);
            Objects.requireNonNull(speeds);
        }
    }

    /** Kept in {@code folder}, which need not be there. */
    MachineProfileCache(Path folder, Clock clock) {
        this.kept = new KeptFolder(folder, "machine profiles");
        this.clock = clock;
    }

    /** What was measured of exactly this machine; null for nothing. */
    @Nullable MachineSpeeds find(MachineIdentity identity) {
        Kept found = kept.find(identity.host(), Json.line(identity), MachineProfileCache::read);
        return found != null && found.identity().equals(identity) && isYoung(found)
                ? found.speeds()
                : null;
    }

    /** What was measured last of a host, as it was then and however long ago; null for nothing. */
    @Nullable Kept latest(String host) {
        return kept.all(host, MachineProfileCache::read).stream()
                .filter(found -> found.identity().host().equals(host))
                .max(Comparator.comparingLong(found -> found.speeds().wallMillis()))
                .orElse(null);
    }

    /** Keeps what was measured, if it can be written; else the log says why. */
    void keep(MachineIdentity identity, MachineSpeeds speeds) {
        MachineSpeeds before = speeds.scope() == Scope.FULL ? null : find(identity);
        if (before == null || before.scope() == Scope.QUICK) {
            kept.keep(
                    identity.host(),
                    Json.line(identity),
                    Json.pretty(new Kept(FORMAT, identity, speeds)));
        }
    }

    private boolean isYoung(Kept found) {
        // A clock that went wrong may have dated it long after today.
        long apartMillis = Math.abs(clock.wallMillis() - found.speeds().wallMillis());
        return apartMillis <= TimeUnit.DAYS.toMillis(DAYS);
    }

    private static @Nullable Kept read(byte[] file) {
        Kept found = Json.parse(file, Kept.class);
        return found.format() == FORMAT ? found : null;
    }
}
