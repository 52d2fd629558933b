package dev.medley.api.job;

import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JobTerms;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Collects what two machines have to agree about for their jobs to be one, under the keys of a job
 * file. It leaves out what names the job, and of {@code cluster} what the command decides: where
 * machines join, how many, and how patiently. What acts on a machine that joins stays in. Of a path
 * the last name counts, since files lie elsewhere on each machine; of a class path what is in it.
 */
public final class ComparedJob {
    private static final Set<String> OF_CLUSTER = Set.of("threads", "java_options", "encrypt");
    private static final Set<String> PATHS = Set.of("data.train", "data.validation");
    private static final String PROGRAM = "model.file";

    private ComparedJob() {}

    /**
     * The terms of a job.
     *
     * @param file that it was read from; empty if that is not known
     * @param classes what is in its class path, an entry each
     */
    public static JobTerms terms(JobSpec job, String file, List<String> classes) {
        Map<String, String> values = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> section : JobYaml.tree(job).properties()) {
            if (section.getKey().equals("cluster")) {
                section.getValue().properties().stream()
                        .filter(each -> OF_CLUSTER.contains(each.getKey()))
                        .forEach(each -> put("cluster." + each.getKey(), each.getValue(), values));
                values.put("cluster.class_path", classes.toString());
            } else if (!section.getKey().equals("name")) {
                put(section.getKey(), section.getValue(), values);
            }
        }
        return new JobTerms(job.name(), file, values);
    }

    private static void put(String key, JsonNode value, Map<String, String> values) {
        if (value.isObject()) {
            value.properties().forEach(e -> put(key + "." + e.getKey(), e.getValue(), values));
        } else if (key.equals(PROGRAM)) {
            values.put(key, lastName(value));
        } else if (PATHS.contains(key)) {
            values.put(key, value.values().stream().map(ComparedJob::lastName).toList().toString());
        } else {
            values.put(key, value.isString() ? value.asString() : value.toString());
        }
    }

    private static String lastName(JsonNode path) {
        return path.asString().replaceFirst("^.*[/\\\\](?=.)", "");
    }
}
