package dev.medley.spark.ml;

import dev.medley.api.TrainedModel;
import dev.medley.data.encoding.Encoding;
import dev.medley.spark.cluster.SparkBlas;
import dev.medley.store.file.AtomicFolder;
import dev.medley.store.model.ModelDescription;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
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

    /** The files of those that stay: 1 GiB. */
    private static final long MOST_BYTES = 1L << 30;

    private static final LoadedModels<TrainedModel> LOADED =
            new LoadedModels<>(MOST_LOADED, MOST_BYTES, TrainedModel::close);

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

    /** The model, with a thread for each task that computes with it; the caller gives it back. */
    LoadedModels<TrainedModel>.Use use() {
        long bytes = files.values().stream().mapToLong(each -> each.length).sum();
        return LOADED.use(digest, bytes, this::open);
    }

    /** What the model says of itself. */
    ModelDescription description() {
        try (LoadedModels<TrainedModel>.Use use = use()) {
            return use.model().description();
        }
    }

    /** How rows become what the model reads. */
    Encoding encoding() {
        try (LoadedModels<TrainedModel>.Use use = use()) {
            return use.model().encoding();
        }
    }

    /** The model, which nobody else has and the caller closes. */
    TrainedModel open() {
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
