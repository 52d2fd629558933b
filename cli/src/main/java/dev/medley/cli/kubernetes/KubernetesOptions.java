package dev.medley.cli.kubernetes;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.job.JobFile;
import dev.medley.base.ConfigException;
import dev.medley.base.NamedFile;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.submit.JobSketch;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Holds the options of a job that trains on Kubernetes. */
public final class KubernetesOptions {
    private static final int LARGEST_BYTES = 262_144;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "On Kubernetes: where the job is (default: that of the kubeconfig).")
    private @Nullable String namespace;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "On Kubernetes: of the kubeconfig (default: its current one).")
    private @Nullable String context;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "On Kubernetes: what the job is called there (default: as in its file).")
    private @Nullable String name;

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            description = "On Kubernetes: Medley of this build (default: the operator's).")
    private @Nullable String image;

    @Option(
            names = "--flavor",
            paramLabel = "NAME,KEY=VALUE...",
            description =
                    "On Kubernetes: a kind of machines, and how many, as in"
                            + " cpu,min=2,max=8,cpu=4,memory=8Gi; may be repeated (default: as many"
                            + " pods as the job file has workers).")
    private List<String> flavors = new ArrayList<>();

    @Option(
            names = "--queue",
            paramLabel = "NAME",
            description = "On Kubernetes: a LocalQueue of Kueue, which gives quota.")
    private @Nullable String queue;

    @Option(
            names = "--runs-volume",
            paramLabel = "CLAIM|SIZE",
            description =
                    "On Kubernetes: a volume claim for the run's folder, or the size of one to be"
                            + " made, as 10Gi (default: it is lost with the coordinator's pod).")
    private @Nullable String runs;

    @Option(
            names = "--volume",
            paramLabel = "CLAIM:/PATH",
            description = "On Kubernetes: a volume that all pods see there; may be repeated.")
    private List<String> volumes = new ArrayList<>();

    /** Those that were given. */
    public List<String> given() {
        Map<String, @Nullable String> single = new LinkedHashMap<>();
        single.put("--namespace", namespace);
        single.put("--context", context);
        single.put("--name", name);
        single.put("--image", image);
        single.put("--queue", queue);
        single.put("--runs-volume", runs);
        single.put("--flavor", flavors.isEmpty() ? null : "given");
        single.put("--volume", volumes.isEmpty() ? null : "given");
        return single.keySet().stream().filter(option -> single.get(option) != null).toList();
    }

    /** Of the kubeconfig; null for its current one. */
    @Nullable String context() {
        return context;
    }

    /**
     * The job of a job file.
     *
     * @param settings overrides of the file
     * @param usualNamespace where the kubeconfig says
     */
    MedleyJob job(Path file, List<String> settings, String usualNamespace) {
        check(
                file.toString().matches("(?i).*\\.ya?ml"),
                "%s is no job file: on Kubernetes one is needed (medley train %s shows the one that"
                        + " it makes)",
                file,
                file);
        JobFile job = JobFile.read(file, settings);
        JobSketch sketch =
                new JobSketch(
                        text(file),
                        settings,
                        name,
                        namespace == null ? usualNamespace : namespace,
                        image,
                        queue,
                        runs,
                        flavors,
                        volumes);
        return sketch.job(job.spec());
    }

    private static String text(Path file) {
        try {
            return NamedFile.text(file, LARGEST_BYTES);
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + ": there is no such job file", e);
        } catch (IOException e) {
            throw new ConfigException("%s cannot be read: %s".formatted(file, e.getMessage()), e);
        }
    }
}
