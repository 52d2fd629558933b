package dev.medley.kubernetes.quota;

import dev.medley.kubernetes.resource.Flavor;
import dev.medley.kubernetes.resource.MedleyJobSpec;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Says how many workers of each kind of machines a job is to have, and why.
 *
 * @param byFlavor in the job's order
 */
public record WorkerCounts(Map<String, Count> byFlavor) {
    /** A number, and the sentence that a platform engineer reads. */
    public record Count(int workers, String why) {}

    /** As many as each flavor allows: a pod that no node takes waits, and costs nothing. */
    public static WorkerCounts most(MedleyJobSpec spec) {
        Map<String, Count> counts = new LinkedHashMap<>();
        for (Flavor flavor : spec.flavors()) {
            String why =
                    flavor.min().equals(flavor.max())
                            ? "min and max are " + flavor.max()
                            : "max is %d; pods that no node takes wait, those that are there train"
                                    .formatted(flavor.max());
            counts.put(flavor.name(), new Count(flavor.max(), why));
        }
        return new WorkerCounts(counts);
    }

    /**
     * As many as quota leaves. A job begins with its least; it takes what is idle, up to its most;
     * and it gives back what others wait for, down to its least. All flavors of a job take of the
     * same room, in the job's order.
     *
     * @param current workers by flavor for which there is quota; none of a flavor that waits for it
     */
    public static WorkerCounts within(
            MedleyJobSpec spec, Map<String, Integer> current, QueueRoom room) {
        Map<String, Count> counts = new LinkedHashMap<>();
        QueueRoom left = room;
        for (Flavor flavor : spec.flavors()) {
            Integer now = current.get(flavor.name());
            if (now == null) {
                counts.put(
                        flavor.name(),
                        new Count(
                                Math.max(1, flavor.min()),
                                "waits for quota of queue " + spec.queue() + " for its least"));
                continue;
            }
            Count count =
                    left.isAskedFor() ? givenBack(flavor, now, left) : grown(flavor, now, left);
            left = left.without(flavor, count.workers() - now);
            counts.put(flavor.name(), count);
        }
        return new WorkerCounts(counts);
    }

    private static Count grown(Flavor flavor, int now, QueueRoom room) {
        int bounded = Math.max(Math.max(1, flavor.min()), Math.min(now, flavor.max()));
        int more = Math.min(room.fits(flavor), flavor.max() - bounded);
        if (more <= 0) {
            return new Count(
                    bounded,
                    bounded >= flavor.max()
                            ? "max is " + flavor.max()
                            : "quota is used up: " + room.said(flavor));
        }
        return new Count(
                bounded + more,
                "%d more, since quota is idle: %s".formatted(more, room.said(flavor)));
    }

    private static Count givenBack(Flavor flavor, int now, QueueRoom room) {
        int bounded = Math.max(Math.max(1, flavor.min()), Math.min(now, flavor.max()));
        int back = Math.min(room.lacks(flavor), bounded - Math.max(1, flavor.min()));
        return back <= 0
                ? new Count(bounded, "others wait for quota: no more for now")
                : new Count(
                        bounded - back,
                        "%d given back, since others wait for quota".formatted(back));
    }

    /** Of one kind. */
    public Count of(String flavor) {
        return byFlavor.getOrDefault(flavor, new Count(0, "the job has no such flavor any more"));
    }
}
