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

    /** Of one kind. */
    public Count of(String flavor) {
        return byFlavor.getOrDefault(flavor, new Count(0, "the job has no such flavor any more"));
    }
}
