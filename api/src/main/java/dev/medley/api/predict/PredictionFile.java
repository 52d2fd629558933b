package dev.medley.api.predict;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A file of predictions, one row for each sample: the answer, and the probability of each class.
 * The file appears whole when it is closed in good order; until then it has another name.
 */
public final class PredictionFile implements AutoCloseable {
    /** What rows look like; by the file's extension. */
    private enum Form {
        CSV,
        JSONL
    }

    private final Path file;
    private final Path temporary;
    private final Form form;
    private final Target target;
    private final BufferedWriter writer;
    private boolean isComplete;

    private PredictionFile(Path file, Form form, Target target) throws IOException {
        this.file = file;
        this.temporary = file.resolveSibling("." + file.getFileName() + ".tmp");
        this.form = form;
        this.target = target;
        this.writer = Files.newBufferedWriter(temporary);
    }

    /**
     * Opens a file that ends with {@code .csv}, {@code .jsonl} or {@code .ndjson}.
     *
     * @throws ConfigException for another ending, or if it cannot be written
     */
    public static PredictionFile create(Path file, Target target) {
        String name = file.toString();
        Form form =
                name.endsWith(".csv")
                        ? Form.CSV
                        : name.endsWith(".jsonl") || name.endsWith(".ndjson") ? Form.JSONL : null;
        if (form == null) {
            throw new ConfigException(
                    file + ": the ending says what is written; use .csv, .jsonl or .ndjson");
        }
        try {
            PredictionFile opened = new PredictionFile(file, form, target);
            opened.writeHead();
            return opened;
        } catch (IOException e) {
            throw new ConfigException(file + " cannot be written: " + e, e);
        }
    }

    private void writeHead() throws IOException {
        if (form == Form.CSV) {
            String scores =
                    scoreNames().keySet().stream()
                            .map(name -> "," + quoted(name))
                            .collect(Collectors.joining());
            writer.write("prediction" + scores + "\n");
        }
    }

    /** Names of the columns with probabilities, and their places; none for numbers. */
    private Map<String, Integer> scoreNames() {
        Map<String, Integer> names = new LinkedHashMap<>();
        int classes = target.kind() == TargetKind.BINARY ? 2 : target.outputs();
        for (int i = 0; target.kind() != TargetKind.VALUE && i < classes; i++) {
            names.put("p(" + Prediction.nameOf(target, i) + ")", i);
        }
        return names;
    }

    /** Writes one row. */
    public void write(Prediction prediction) {
        try {
            writer.write(form == Form.CSV ? csv(prediction) : json(prediction));
            writer.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String csv(Prediction prediction) {
        String scores =
                scoreNames().values().stream()
                        .map(i -> "," + prediction.scores().get(i))
                        .collect(Collectors.joining());
        return quoted(prediction.answer()) + scores;
    }

    private String json(Prediction prediction) {
        Map<String, Object> row = new LinkedHashMap<>();
        boolean isNumber = target.kind() == TargetKind.VALUE;
        row.put("prediction", isNumber ? prediction.scores().get(0) : prediction.answer());
        scoreNames().forEach((name, i) -> row.put(name, prediction.scores().get(i)));
        return Json.line(row);
    }

    private static String quoted(String text) {
        boolean isPlain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n');
        return isPlain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    /** All rows are written: the file gets its name when it is closed. */
    public void complete() {
        isComplete = true;
    }

    @Override
    public void close() {
        try {
            writer.close();
            if (isComplete) {
                Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
            } else {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
