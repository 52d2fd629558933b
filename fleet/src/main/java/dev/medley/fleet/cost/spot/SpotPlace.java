package dev.medley.fleet.cost.spot;

/**
 * Says where a job is: on which kind of machine, and in which zone.
 *
 * @param zone its place in the list of quotes; while it waits that of its checkpoint
 */
public record SpotPlace(Kind kind, int zone) {
    /** Kinds of machines, and their absence. */
    public enum Kind {
        /** Before its first machine; the zone says nothing. */
        NOWHERE,
        WAITING,
        SPOT,
        ON_DEMAND
    }

    /** Before the first machine. */
    public static final SpotPlace NOWHERE = new SpotPlace(Kind.NOWHERE, 0);

    /** On a spot machine of that zone. */
    public static SpotPlace spot(int zone) {
        return new SpotPlace(Kind.SPOT, zone);
    }

    /** On a machine on demand of that zone. */
    public static SpotPlace onDemand(int zone) {
        return new SpotPlace(Kind.ON_DEMAND, zone);
    }

    /** Without a machine; what it has learnt stays where it is. */
    public SpotPlace waiting() {
        return kind == Kind.NOWHERE ? this : new SpotPlace(Kind.WAITING, zone);
    }

    /** Whether it has a machine. */
    public boolean runs() {
        return kind == Kind.SPOT || kind == Kind.ON_DEMAND;
    }
}
