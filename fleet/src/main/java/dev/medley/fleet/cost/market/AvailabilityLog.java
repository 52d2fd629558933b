package dev.medley.fleet.cost.market;

import static dev.medley.base.ConfigException.check;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Collects when spot machines could be had and kept, by zone, from logs of probes that keep one
 * machine of each kind alive: {@code [2020-03-15T10:07:33.000Z] Created instance ID with 1 GPU(s)
 * of type v100 in zone us-east-1b}, later {@code Instance ID running in zone ...}, {@code Instance
 * ID not running in zone ...} or {@code Instance ID creation failed}.
 *
 * <p>Lines about machines that were never created say no zone, and are passed over.
 */
final class AvailabilityLog {
    private static final Pattern CREATED =
            Pattern.compile(
                    "\\[(.+?)] Created instance (.+) with (\\d+) GPU\\(s\\) of type (\\S+) in zone"
                            + " (\\S+)");
    private static final Pattern SEEN =
            Pattern.compile("\\[(.+?)] Instance (\\S+) (not running|running|creation failed).*");

    private final String gpus;
    private final Map<String, String> zoneOf = new HashMap<>();
    private final Map<String, TreeMap<Double, Double>> byZone = new TreeMap<>();
    private final TreeSet<String> kinds = new TreeSet<>();

    /** Of machines with that number and type of GPUs, as in "1 v100"; of all if it is empty. */
    AvailabilityLog(String gpus) {
        this.gpus = gpus;
    }

    void add(List<String> lines) {
        for (String line : lines) {
            Matcher created = CREATED.matcher(line);
            Matcher seen = SEEN.matcher(line);
            if (created.matches()) {
                String kind = created.group(3) + " " + plain(created.group(4));
                kinds.add(kind);
                if (gpus.isEmpty() || gpus.equals(kind)) {
                    // Probes of one cloud go by a name that stays beside an id that does not.
                    String name = created.group(2).replaceFirst(".* ", "");
                    zoneOf.put(name, created.group(5));
                    put(created.group(5), created.group(1), 1);
                } else {
                    zoneOf.remove(created.group(2).replaceFirst(".* ", ""));
                }
            } else if (seen.matches() && zoneOf.containsKey(seen.group(2))) {
                int up = seen.group(3).equals("running") ? 1 : 0;
                put("" + zoneOf.get(seen.group(2)), seen.group(1), up);
            }
        }
    }

    /** What was seen by zone: 1 while there was a machine, else 0; the last is the log's end. */
    Map<String, TreeMap<Double, Double>> seen() {
        check(
                !gpus.isEmpty() || kinds.size() <= 1,
                "the logs watch machines with %s: say one with --gpus",
                String.join(", ", kinds));
        check(
                kinds.isEmpty() || gpus.isEmpty() || kinds.contains(gpus),
                "the logs watch no machine with %s, but with %s",
                gpus,
                String.join(", ", kinds));
        return byZone;
    }

    private void put(String zone, String time, double up) {
        byZone.computeIfAbsent(zone, z -> new TreeMap<>())
                .put((double) Instant.parse(time).getEpochSecond(), up);
    }

    private static String plain(String type) {
        return type.replaceFirst("^nvidia-tesla-", "");
    }
}
