package dev.medley.profile.machine;

import dev.medley.base.time.Clock;
import dev.medley.profile.machine.MachineProfile.Look;
import dev.medley.profile.machine.MachineProfile.Scope;
import dev.medley.profile.machine.MachineProfile.Speeds;
import java.nio.file.Path;

/**
 * Measures this process's machine once, as long as it stays what it is. Speeds and GPUs are kept in
 * {@code machine-profiles} in a folder of caches, by all that would make them wrong ({@link
 * MachineIdentity}). What changes at any moment is read each time.
 *
 * <p>Thread: any.
 */
public final class KnownMachine {
    private final MachineProbe probe;
    private final MachineProfileCache cache;
    private final Clock clock;

    /** Seen by {@code probe}; what is measured is kept below {@code caches}, which need not be. */
    public KnownMachine(MachineProbe probe, Path caches, Clock clock) {
        this.probe = probe;
        this.cache = new MachineProfileCache(caches.resolve("machine-profiles"), clock);
        this.clock = clock;
    }

    /**
     * The machine as it is now, in a few milliseconds if it is known; else it is measured quickly,
     * in a fraction of a second. If it was measured thoroughly, that counts.
     */
    public MachineProfile look() {
        long startNs = clock.nowNs();
        MachineFacts seen = probe.look();
        MachineIdentity identity = probe.identity(seen);
        MachineSpeeds found = cache.find(identity);
        CachedMeasurement known =
                CachedMeasurement.of(
                        identity, found, found == null ? cache.latest(identity.host()) : null);
        MachineSpeeds kept = known.speeds();
        return kept == null
                ? measured(seen, identity, Scope.QUICK, known.why(), startNs)
                : seen.with(kept, look(startNs, Speeds.KEPT, known.why()));
    }

    /** The machine, measured thoroughly in a few seconds, for later looks too. */
    public MachineProfile measure() {
        long startNs = clock.nowNs();
        MachineFacts seen = probe.look();
        return measured(seen, probe.identity(seen), Scope.FULL, CachedMeasurement.ASKED, startNs);
    }

    private MachineProfile measured(
            MachineFacts seen, MachineIdentity identity, Scope scope, String why, long startNs) {
        MachineSpeeds speeds = probe.measure(seen, scope);
        if (speeds.areWhole(identity)) {
            cache.keep(identity, speeds);
        }
        return seen.with(speeds, look(startNs, Speeds.MEASURED, why));
    }

    private Look look(long startNs, Speeds speeds, String why) {
        return new Look(clock.wallMillis(), clock.nowNs() - startNs, speeds, why);
    }
}
