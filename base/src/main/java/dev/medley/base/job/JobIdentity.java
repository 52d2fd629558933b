package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.Json;
import dev.medley.base.Sha256;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A short name of a job that tells it from others: {@code adult+5f0c2a91}. Processes of a run tell
 * each other theirs, so that a process of another job is recognised.
 *
 * @param name of the job
 * @param fingerprint the first eight hex digits of the SHA-256 of the whole resolved job
 */
public record JobIdentity(String name, String fingerprint) {
    private static final int SHOWN_DIGITS = 8;
    private static final String FORM = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}\\+[0-9a-f]{8}";

    public JobIdentity {
        check((name + "+" + fingerprint).matches(FORM), "%s+%s names no job", name, fingerprint);
    }

    /** Of this job as it is resolved; equal jobs have equal ones on all machines. */
    public static JobIdentity of(JobSpec job) {
        return of(job.name(), Json.tree(job));
    }

    /** The order of keys does not count. */
    static JobIdentity of(String name, JsonNode job) {
        return new JobIdentity(name, digest(job).substring(0, SHOWN_DIGITS));
    }

    /** All hex digits of the same SHA-256: nobody can make another job that has them. */
    static String digest(JobSpec job) {
        return digest(Json.tree(job));
    }

    private static String digest(JsonNode job) {
        return Sha256.hex(Json.bytes(sorted(job)));
    }

    /**
     * Why somebody cannot take part in what is of another job.
     *
     * @param who in the message
     * @param theirs the job that they were started for, in this form; anything else is no known job
     * @param what they want to take part in, in the message
     * @param ours its job
     * @return null if they are of one job
     */
    public static @Nullable String refusal(
            String who, String theirs, String what, JobIdentity ours) {
        return theirs.equals(ours.toString())
                ? null
                : "%s was started for %s, but %s is of job %s: start it with that job"
                        .formatted(who, shown(theirs), what, ours);
    }

    /** The name of a job as somebody gave it, if it has that form: strangers may say anything. */
    public static String shown(String theirs) {
        return theirs.matches(FORM) ? "job " + theirs : "no known job";
    }

    @Override
    public String toString() {
        return name + "+" + fingerprint;
    }

    /** Maps have no order of their own, and every process another one. */
    private static Object sorted(JsonNode node) {
        if (node.isArray()) {
            return node.values().stream().map(JobIdentity::sorted).toList();
        }
        if (!node.isObject()) {
            return node;
        }
        Map<String, Object> keys = new TreeMap<>();
        node.properties().forEach(each -> keys.put(each.getKey(), sorted(each.getValue())));
        return keys;
    }
}
