package dev.medley.cli.spark;

import static dev.medley.base.ConfigException.check;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Checks that Spark will find the cluster of YARN that a job is for. */
final class HadoopFiles {
    private static final String SITE = "yarn-site.xml";

    private HadoopFiles() {}

    /**
     * Complains where nothing names it.
     *
     * @param home of Spark, whose own files may name it
     */
    static void require(Path home, Map<String, String> environment) {
        List<Path> folders =
                Stream.of("HADOOP_CONF_DIR", "YARN_CONF_DIR")
                        .map(environment::get)
                        .filter(Objects::nonNull)
                        .filter(folder -> !folder.isBlank())
                        .map(Path::of)
                        .toList();
        if (folders.isEmpty()) {
            String named = environment.get("SPARK_CONF_DIR");
            Path own = named == null ? home.resolve("conf") : Path.of(named);
            check(
                    Files.exists(own.resolve("spark-env.sh")),
                    "--on yarn: HADOOP_CONF_DIR is not set: name the folder of the cluster's %s in"
                            + " it",
                    SITE);
            return;
        }
        check(
                folders.stream().anyMatch(folder -> Files.exists(folder.resolve(SITE))),
                "--on yarn: HADOOP_CONF_DIR=%s has no %s: name the folder of the cluster's files",
                folders.get(0),
                SITE);
    }
}
