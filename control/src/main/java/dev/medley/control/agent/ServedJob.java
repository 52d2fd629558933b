package dev.medley.control.agent;

import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JobTerms;
import dev.medley.base.job.Work;
import dev.medley.control.files.Shipment;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one job whose runs an agent serves. The machine's owner could read what its classes do, so
 * the owner's own files are run, and never files that a coordinator sends in their place.
 *
 * @param job of this machine; its class path lies here
 * @param file that it was read from, for people
 * @param reading says what has to be alike
 */
public record ServedJob(JobSpec job, String file, Reading reading) {
    /** What a job says that all machines of a run have to agree about. */
    @FunctionalInterface
    public interface Reading {
        /**
         * Its terms.
         *
         * @param file that it was read from; empty if that is not known
         * @param classes what is in its class path, an entry each
         */
        JobTerms terms(JobSpec job, String file, List<String> classes);
    }

    /**
     * The terms of a run's job.
     *
     * @param shipments that the run sends, with those of its class path
     */
    public static JobTerms ofRun(JobSpec job, List<Shipment> shipments, Reading reading) {
        if (!(job.work() instanceof Work.Gradient)) {
            return JobTerms.ofNoJob(job.name()); // No job file asks for such work.
        }
        List<String> classes =
                job.cluster().classPath().stream().map(p -> keyOf(p, shipments)).toList();
        return reading.terms(job, "", classes);
    }

    private static String keyOf(String path, List<Shipment> shipments) {
        return shipments.stream()
                .filter(shipment -> shipment.root().equals(path))
                .map(Shipment::key)
                .findFirst()
                .orElse(path);
    }

    /** Its terms; jars are looked at anew. */
    JobTerms terms() {
        List<String> classes =
                job.cluster().classPath().stream()
                        .map(path -> Shipment.ofContent(Path.of(path)).key())
                        .toList();
        return reading.terms(job, file, classes);
    }

    /** Why this machine does not do that work, whatever the coordinator says; null if it does. */
    @Nullable String refusal(String machine, LaunchOrder work) {
        return terms().refusal(machine, ofRun(work.job(), work.shipments(), reading));
    }

    /** What has to be fetched for a run: all but the user's own files. */
    List<Shipment> needed(LaunchOrder work) {
        List<String> theirs = work.job().ownFiles();
        return work.shipments().stream().filter(s -> !theirs.contains(s.root())).toList();
    }

    /** A run's job with the classes, and the program, of this machine: those of equal terms. */
    JobSpec withOwnFiles(JobSpec theirs) {
        List<String> places = theirs.ownFiles();
        return theirs.withOwnFiles(file -> job.ownFiles().get(places.indexOf(file)));
    }
}
