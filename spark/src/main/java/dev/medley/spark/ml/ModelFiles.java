package dev.medley.spark.ml;

import dev.medley.api.TrainedModel;
import dev.medley.spark.cluster.SparkBlas;
import dev.medley.store.file.AtomicFolder;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Holds the files of a trained model, which go to executors with the tasks that compute it. Each
 * process loads it once.
 *
 * <p>Thread: any.
 */
final class ModelFiles implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Of the models that a process has used, so many stay loaded. */
    private static final int MOST_LOADED = 8;

    private static final Map<String, TrainedModel> LOADED =
            new LinkedHashMap<>(MOST_LOADED, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, TrainedModel> eldest) {
                    return size() > MOST_LOADED; // Who computes with it may go on.
                }
            };

    private final TreeMap<String, byte[]> files;
    private final String digest;

    private ModelFiles(Map<String, byte[]> files) {
        this.files = new TreeMap<>(files);
        this.digest = digest(this.files);
    }

    /** Those of a model's folder. */
    static ModelFiles of(Path folder) {
        TreeMap<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString(), Files.readAllBytes(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ModelFiles(files);
    }

    /** As they were read from another place. */
    static ModelFiles of(Map<String, byte[]> files) {
        return new ModelFiles(files);
    }

    /** By name, with / between folders. */
    Map<String, byte[]> all() {
        return files;
    }

    /** The model, with a thread for each task that computes with it. */
    TrainedModel load() {
        synchronized (LOADED) {
            return LOADED.computeIfAbsent(digest, any -> loaded());
        }
    }

    private TrainedModel loaded() {
        try {
            Path folder = Files.createTempDirectory("medley-model-");
            try {
                writeTo(folder);
                SparkBlas.load();
                return TrainedModel.load(folder, 1);
            } finally {
                AtomicFolder.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts them there. */
    void writeTo(Path folder) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
    }

    private static String digest(Map<String, byte[]> files) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String name : files.keySet()) {
                digest.update(name.getBytes(StandardCharsets.UTF_8));
                digest.update(files.get(name));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
