package dev.medley.fleet.elastic.trace;

import dev.medley.base.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Holds one job of a workload.
 *
 * @param workers and {@code batch} that its owner asked for, which elastic policies do not see
 */
public record WorkloadJob(
        String name, double arrivalS, MeasuredModel model, int workers, int batch) {
    /** Reads one of Pollux's files {@code workload-N.csv}. */
    public static List<WorkloadJob> read(Path file, Map<String, MeasuredModel> models) {
        CsvRows rows = CsvRows.read(file);
        List<WorkloadJob> jobs = new ArrayList<>();
        for (int row = 0; row < rows.count(); row++) {
            String application = rows.text(row, "application");
            MeasuredModel model = models.get(application);
            if (model == null) {
                throw new ConfigException(
                        "%s row %d has model '%s'; choose one of %s"
                                .formatted(file, row + 1, application, models.keySet()));
            }
            jobs.add(
                    new WorkloadJob(
                            rows.text(row, "name"),
                            rows.number(row, "time"),
                            model,
                            rows.whole(row, "num_replicas"),
                            rows.whole(row, "batch_size")));
        }
        return List.copyOf(jobs);
    }
}
