package dev.medley.control.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The command of a worker process: a JVM like this one.
 *
 * @param mainClass of the process
 * @param classPath of the process
 * @param javaOptions of its JVM
 * @param environment added to this process's own
 */
public record WorkerCommand(
        String mainClass,
        String classPath,
        List<String> javaOptions,
        Map<String, String> environment) {
    /**
     * Blocks of data stay: on a machine with one core they would be copied by the first collection
     * of young objects, for which all other workers would wait, up to a second on a slow one. Other
     * collectors do not copy what is large, and pass this over.
     */
    private static final String OLD_AT_ONCE = "-XX:PretenureSizeThreshold=256k";

    /** Not as an argument: lists of processes cut long lines, and what a process is comes last. */
    private static final String CLASS_PATH = "CLASSPATH";

    public WorkerCommand {
        javaOptions = List.copyOf(javaOptions);
        environment = Map.copyOf(environment);
    }

    /** The same with one more variable in its environment. */
    public WorkerCommand with(String variable, String value) {
        Map<String, String> more = new HashMap<>(environment);
        more.put(variable, value);
        return new WorkerCommand(mainClass, classPath, javaOptions, more);
    }

    /**
     * A process that has not started.
     *
     * @param crashFile what its JVM writes if it crashes
     * @param arguments of the main class
     */
    public ProcessBuilder process(Path crashFile, List<String> arguments) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.add(OLD_AT_ONCE);
        line.addAll(javaOptions);
        line.add("-XX:ErrorFile=" + crashFile);
        line.add(mainClass);
        line.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().putAll(environment);
        builder.environment().put(CLASS_PATH, classPath);
        return builder;
    }
}
