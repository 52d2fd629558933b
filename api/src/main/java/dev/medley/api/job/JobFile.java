package dev.medley.api.job;

import dev.medley.api.schema.JobSchema;
import dev.medley.api.schema.SchemaErrors;
import dev.medley.api.yaml.Complaints;
import dev.medley.api.yaml.Pointer;
import dev.medley.api.yaml.SourcePositions;
import dev.medley.api.yaml.YamlTree;
import dev.medley.base.ConfigException;
import dev.medley.base.NamedFile;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.StoreUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads a job file, and holds its valid job. Whatever is wrong with it is one {@link
 * ConfigException} with a line {@code file:line:column: message} for each error, in order.
 */
public final class JobFile {
    private static final int LARGEST_BYTES = 4 << 20;

    private final String file;
    private final SourcePositions places;
    private final JobSpec spec;

    private JobFile(String file, SourcePositions places, JobSpec spec) {
        this.file = file;
        this.places = places;
        this.spec = spec;
    }

    /**
     * Reads a job file.
     *
     * @param file UTF-8 YAML; relative paths in it begin at its folder
     * @param overrides settings that come before the file's, {@code train.epochs=2}
     */
    public static JobFile read(Path file, List<String> overrides) {
        return read(file, Settings.of(overrides));
    }

    /** Reads a job file; what {@code settings} say comes before what it says. */
    public static JobFile read(Path file, Settings settings) {
        Path absolute = file.toAbsolutePath().normalize();
        Path folder = absolute.resolveSibling("");
        String name = JobReading.nameOf(absolute.getFileName());
        return parse(file.toString(), text(file), folder, name, settings);
    }

    /**
     * Reads a job from a text.
     *
     * @param file name for messages
     * @param text YAML
     * @param folder where relative paths begin
     * @param overrides settings that come before the text's
     */
    public static JobFile parse(String file, String text, Path folder, List<String> overrides) {
        return parse(file, text, folder, Settings.of(overrides));
    }

    /** Reads a job from a text; what {@code settings} say comes before what it says. */
    public static JobFile parse(String file, String text, Path folder, Settings settings) {
        return parse(file, text, folder, JobReading.nameOf(Path.of(file).getFileName()), settings);
    }

    private static JobFile parse(
            String file, String text, Path folder, String name, Settings settings) {
        Complaints complaints = new Complaints(file);
        SourcePositions places = new SourcePositions();
        JsonNode tree = YamlTree.ofFile(text, places, complaints);
        complaints.throwIfAny();
        if (tree == null) {
            throw new ConfigException(file + ":1:1: the file is empty; " + JobReading.SMALLEST);
        }
        if (tree instanceof ObjectNode root) {
            new Overrides(root, places, complaints).apply(settings);
            complaints.throwIfAny();
        }
        JobSchema schema = JobSchema.shared();
        new SchemaErrors(schema, places, complaints).complainAbout(tree);
        complaints.throwIfAny();
        ObjectNode root = (ObjectNode) tree;
        new Shorthand(places).expand(root);
        JobReading reading = new JobReading(root, places, complaints);
        return new JobFile(file, places, reading.read(folder, name));
    }

    /** The job, whole and resolved. */
    public JobSpec spec() {
        return spec;
    }

    /** Whether the file, or a setting, has a value for a key: {@code cluster.join_timeout}. */
    public boolean says(String path) {
        return places.has(Pointer.ofPath(path));
    }

    /**
     * Throws if a file or folder that the job names does not exist. Patterns and what lies in
     * object stores are left to the reader of the data.
     */
    public void requireFiles() {
        Complaints complaints = new Complaints(file);
        requireFiles(complaints, "/data/train", spec.data().train());
        requireFiles(complaints, "/data/validation", spec.data().validation());
        requireFiles(complaints, "/cluster/class_path", spec.cluster().classPath());
        complaints.throwIfAny();
    }

    /** Throws if a jar or folder of its class path does not exist; the data may lie elsewhere. */
    public void requireClasses() {
        Complaints complaints = new Complaints(file);
        requireFiles(complaints, "/cluster/class_path", spec.cluster().classPath());
        complaints.throwIfAny();
    }

    /** The file as it was named. */
    public String file() {
        return file;
    }

    private void requireFiles(Complaints complaints, String list, List<String> paths) {
        for (int i = 0; i < paths.size(); i++) {
            String path = paths.get(i);
            boolean isLeft = StoreUrl.isUrl(path) || path.matches(".*[*?{\\[].*");
            if (!isLeft && !Files.exists(Path.of(path))) {
                String at = Pointer.child(list, i);
                complaints.add(
                        places.ofValue(at),
                        "%s: there is no %s%s"
                                .formatted(Pointer.toPath(list), path, typed(at, path)));
            }
        }
    }

    private String typed(String pointer, String path) {
        @Nullable String typed = places.raw(pointer);
        return typed == null || typed.equals(path)
                ? ""
                : " ('%s', from the job file's folder)".formatted(typed);
    }

    /** A file's text; what is not one is refused with what to do. */
    static String text(Path file) {
        try {
            return NamedFile.text(file, LARGEST_BYTES);
        } catch (NoSuchFileException e) {
            throw new ConfigException(
                    file
                            + ": there is no such file in "
                            + Path.of("").toAbsolutePath()
                            + "; name a YAML file, for example examples/quickstart.yaml",
                    e);
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }
}
