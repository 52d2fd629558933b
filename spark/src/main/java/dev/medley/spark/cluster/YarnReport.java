package dev.medley.spark.cluster;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks YARN why an application has ended. */
final class YarnReport {
    private static final Logger LOG = LoggerFactory.getLogger(YarnReport.class);
    private static final EnumSet<YarnApplicationState> ENDED =
            EnumSet.of(
                    YarnApplicationState.FINISHED,
                    YarnApplicationState.FAILED,
                    YarnApplicationState.KILLED);
    private static final Set<String> SPARK = Set.of("SPARK");

    private YarnReport() {}

    /** Its diagnostics by its tag; empty where YARN has none. */
    static Optional<String> of(String tag) {
        try (YarnClient yarn = YarnClient.createYarnClient()) {
            yarn.init(new YarnConfiguration());
            yarn.start();
            return yarn.getApplications(SPARK, ENDED, Set.of(tag)).stream()
                    .map(ApplicationReport::getDiagnostics)
                    .filter(said -> said != null && !said.isBlank())
                    .findFirst();
        } catch (IOException | YarnException e) {
            LOG.debug("YARN does not say why {} ended", tag, e);
            return Optional.empty();
        }
    }
}
