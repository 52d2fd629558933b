package dev.medley.fleet.policy.quota;

import dev.medley.base.ConfigException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds what accounts used of late, in machine-seconds of which an old one counts less: half after
 * each half-life, as in Slurm's multifactor priority and Kueue's AdmissionFairSharing.
 *
 * @param atS when it was so, on the fleet's clock
 */
public record Usage(double atS, Map<Account, Double> machineS) {
    /** Nobody has used anything. */
    public static final Usage NONE = new Usage(0, Map.of());

    public Usage {
        machineS = Map.copyOf(machineS);
    }

    /**
     * What it is at {@code nowS}, if each account held as many machines since as {@code held} says:
     * {@code u x 2^(-d/h) + m x (1 - 2^(-d/h)) x h / ln 2}.
     */
    public Usage after(double nowS, double halfLifeS, Map<Account, Integer> held) {
        ConfigException.check(halfLifeS > 0, "a half-life of %s s; give one above 0", halfLifeS);
        double elapsedS = Math.max(0, nowS - atS);
        double kept = Math.pow(2, -elapsedS / halfLifeS);
        double added =
                Double.isInfinite(halfLifeS) ? elapsedS : (1 - kept) * halfLifeS / Math.log(2);
        Map<Account, Double> next = new HashMap<>();
        machineS.forEach((account, s) -> next.put(account, s * kept));
        held.forEach((account, machines) -> next.merge(account, machines * added, Double::sum));
        return new Usage(nowS, next);
    }

    /** Says that an account held a machine for a time. */
    public record Held(Account account, double fromS, double toS) {}

    /**
     * What accounts used until now by what they held: {@code (2^(-(now - to)/h) - 2^(-(now -
     * from)/h)) x h / ln 2} each.
     */
    public static Usage of(double nowS, double halfLifeS, List<Held> held) {
        Map<Account, Double> machineS = new HashMap<>();
        for (Held one : held) {
            // What lies ahead of a clock that was set back counts as of now.
            double late = Math.pow(2, -Math.max(0, nowS - one.toS()) / halfLifeS);
            double early = Math.pow(2, -Math.max(0, nowS - one.fromS()) / halfLifeS);
            double used = (late - early) * halfLifeS / Math.log(2);
            machineS.merge(one.account(), used, Double::sum);
        }
        return new Usage(nowS, machineS);
    }

    /** Machine-seconds of one account. */
    double of(Account account) {
        return machineS.getOrDefault(account, 0.0);
    }
}
