package dev.medley.record.folder;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The folder of a run, {@code runs/<name>-<yyyyMMdd-HHmmss>/}, with the names of everything in it.
 * It also makes such folders, lists them and finds one by name. docs/run-record.md says what is in
 * each file.
 *
 * @param path of the folder
 */
public record RunFolder(Path path) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    /**
     * Makes a new folder under {@code runs} (made too, if need be), named by the job and the local
     * time. Two runs of one second get different folders, also when two processes start them. A
     * place that cannot be written is a {@link ConfigException}.
     */
    public static RunFolder create(Path runs, String name, Clock clock) {
        String base =
                name
                        + "-"
                        + TIME.format(
                                Instant.ofEpochMilli(clock.wallMillis())
                                        .atZone(ZoneId.systemDefault()));
        try {
            Files.createDirectories(runs);
            return createFirstFree(runs, base);
        } catch (IOException e) {
            throw UnusableRunFolder.unmade("" + runs.toAbsolutePath(), reason(e), e);
        }
    }

    /** The folder of a run that was made before; a {@link ConfigException} if it is none. */
    public static RunFolder at(Path path) {
        RunFolder folder = new RunFolder(path);
        ConfigException.check(
                Files.isRegularFile(folder.identity()),
                "%s is not the folder of a run: it has no %s",
                path,
                folder.identity().getFileName());
        return folder;
    }

    /**
     * The run that a user means: a path to a folder, a folder's name in {@code runs}, the beginning
     * of one (the newest that has it), or {@code latest}. A {@link ConfigException} names what
     * there is if none fits.
     */
    public static RunFolder find(Path runs, String words) {
        for (Path path : List.of(runs.resolve(words), Path.of(words))) {
            if (Files.isRegularFile(new RunFolder(path).identity())) {
                return new RunFolder(path);
            }
        }
        List<RunFolder> all = list(runs);
        return all.stream()
                .filter(run -> words.equals("latest") || run.name().startsWith(words))
                .findFirst()
                .orElseThrow(
                        () ->
                                new ConfigException(
                                        String.format(
                                                Locale.ROOT,
                                                "no run '%s' in %s; there %s",
                                                words,
                                                runs.toAbsolutePath(),
                                                spoken(all))));
    }

    /** The runs in {@code runs}, newest first; other folders and files are passed over. */
    public static List<RunFolder> list(Path runs) {
        if (!Files.isDirectory(runs)) {
            return List.of();
        }
        record Dated(RunFolder run, long millis) {}
        List<Dated> found = new ArrayList<>();
        try (Stream<Path> paths = Files.list(runs)) {
            paths.map(RunFolder::new)
                    .filter(run -> Files.isRegularFile(run.identity()))
                    .forEach(run -> found.add(new Dated(run, RunRecord.startedMillis(run))));
        } catch (IOException e) {
            throw new ConfigException(
                    "the runs in " + runs.toAbsolutePath() + " cannot be listed: " + reason(e), e);
        }
        found.sort(
                Comparator.comparingLong(Dated::millis)
                        .thenComparing(dated -> dated.run().name())
                        .reversed());
        return found.stream().map(Dated::run).toList();
    }

    /** The folder's own name. */
    public String name() {
        return path.toAbsolutePath().normalize().getFileName().toString();
    }

    /** The maker of the run: {@link RunIdentity}. */
    public Path identity() {
        return path.resolve("run.json");
    }

    /** The resolved job. */
    public Path job() {
        return path.resolve("job.json");
    }

    /** The job as a job file. */
    public Path jobFile() {
        return path.resolve("job.yaml");
    }

    /** The {@link BeginningRecord} of a run that began with a trained model. */
    public Path beginning() {
        return path.resolve("init.json");
    }

    /** The machine that it runs on. */
    public Path machine() {
        return path.resolve("machine.json");
    }

    /** The {@link dev.medley.profile.cluster.ClusterProfile} of a run on several machines. */
    public Path cluster() {
        return path.resolve("cluster.json");
    }

    /** What was found in the data. */
    public Path data() {
        return path.resolve("data.json");
    }

    /** Hashes of the data, by which a run that is gone on with knows it again. */
    public Path dataIdentity() {
        return path.resolve("data-identity.json");
    }

    /** One {@link dev.medley.record.entry.PlanRecord} per line. */
    public Path plans() {
        return path.resolve("plan.jsonl");
    }

    /** One {@link dev.medley.record.entry.WorkerRecord} per line. */
    public Path workers() {
        return path.resolve("workers.jsonl");
    }

    /** One {@link dev.medley.record.entry.StepRecord} per line, thinned in long runs. */
    public Path steps() {
        return path.resolve("steps.jsonl");
    }

    /** One {@link dev.medley.record.entry.EvaluationRecord} per line. */
    public Path evaluations() {
        return path.resolve("evaluations.jsonl");
    }

    /** The {@link dev.medley.base.evaluation.EvaluationReport} of the best model so far. */
    public Path evaluationReport() {
        return path.resolve("evaluation.json");
    }

    /** One {@link dev.medley.record.entry.RunEvent} per line. */
    public Path events() {
        return path.resolve("events.jsonl");
    }

    /** The {@link dev.medley.record.entry.RunSummary}. */
    public Path summary() {
        return path.resolve("summary.json");
    }

    /** The report. */
    public Path report() {
        return path.resolve("report.html");
    }

    /** The trained model. */
    public Path model() {
        return path.resolve("model");
    }

    /** The latest checkpoints. */
    public Path checkpoints() {
        return path.resolve("checkpoints");
    }

    /** Logs and crash files of all processes. */
    public Path logs() {
        return path.resolve("logs");
    }

    /** The log of one worker. */
    public Path log(int worker) {
        return logs().resolve("worker-" + worker + ".log");
    }

    private static RunFolder createFirstFree(Path runs, String base) throws IOException {
        for (int i = 1; ; i++) {
            Path path = runs.resolve(i == 1 ? base : base + "-" + i);
            try {
                Files.createDirectory(path);
            } catch (FileAlreadyExistsException e) {
                continue;
            }
            RunFolder folder = new RunFolder(path);
            Files.createDirectory(folder.logs());
            return folder;
        }
    }

    /**
     * Takes a folder away whose run never began, so that nothing half-written stays. A folder that
     * holds anything else than the beginning of a record stays.
     */
    void discardUnstarted() {
        if (Files.exists(identity())) {
            return;
        }
        try {
            for (Path file :
                    List.of(
                            job(),
                            beginning(),
                            plans(),
                            workers(),
                            steps(),
                            evaluations(),
                            events(),
                            summary())) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(logs());
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // The failure that led here is what the user has to hear about.
        }
    }

    private static String spoken(List<RunFolder> runs) {
        return runs.isEmpty()
                ? "are none yet"
                : "are "
                        + String.join(", ", runs.stream().limit(5).map(RunFolder::name).toList())
                        + (runs.size() > 5 ? " and " + (runs.size() - 5) + " more" : "");
    }

    /** An I/O failure in words: most exceptions of files carry the path alone as message. */
    static String reason(IOException e) {
        String type = e.getClass().getSimpleName();
        String said = String.valueOf(e.getMessage());
        return switch (type) {
            case "AccessDeniedException" -> "not allowed: " + said;
            case "NoSuchFileException" -> "no such file or folder: " + said;
            case "NotDirectoryException", "FileAlreadyExistsException" -> "not a folder: " + said;
            default -> said;
        };
    }
}
