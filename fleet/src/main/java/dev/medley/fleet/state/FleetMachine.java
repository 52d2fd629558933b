package dev.medley.fleet.state;

import dev.medley.fleet.rates.TypeSpeed;

/**
 * Holds one machine of a fleet.
 *
 * @param name by which its agent joined
 * @param type machines of one type are alike
 * @param seen what its agent said of it
 * @param heardS when its agent was last heard, on the hub's clock
 * @param leavingS when it will be taken away; infinite while nobody said so
 * @param isLost whether it was not heard for too long
 */
public record FleetMachine(
        String name,
        String type,
        String site,
        Seen seen,
        double heardS,
        double leavingS,
        boolean isLost) {
    /**
     * Holds what an agent says of its machine.
     *
     * @param speed such as GFLOP/s; NaN where it was not measured
     * @param pricePerHour NaN where nobody said it
     */
    public record Seen(
            double cores,
            long memoryBytes,
            String gpu,
            double speed,
            boolean spot,
            double pricePerHour) {}

    /** Its type's measured speed. */
    public TypeSpeed speed() {
        return new TypeSpeed(type, seen.speed());
    }

    /** The same, heard at a moment. */
    public FleetMachine heard(double nowS) {
        return new FleetMachine(name, type, site, seen, nowS, leavingS, false);
    }

    /** The same, not heard any more. */
    public FleetMachine lost() {
        return new FleetMachine(name, type, site, seen, heardS, leavingS, true);
    }

    /** Whether jobs may be put on it. */
    public boolean isUsable() {
        return !isLost && Double.isInfinite(leavingS);
    }
}
