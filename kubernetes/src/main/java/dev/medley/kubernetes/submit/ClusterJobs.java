package dev.medley.kubernetes.submit;

import dev.medley.base.ConfigException;
import dev.medley.kubernetes.client.ClusterAccess;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.MedleyJobStatus;
import io.fabric8.kubernetes.client.KubernetesClientException;

/** Hands MedleyJobs to a cluster and asks how far they are. */
public final class ClusterJobs {
    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;

    private final ClusterAccess cluster;

    /** Of that cluster. */
    public ClusterJobs(ClusterAccess cluster) {
        this.cluster = cluster;
    }

    /**
     * Creates a job.
     *
     * @throws ConfigException if the cluster refuses it, in the cluster's words
     */
    public void create(MedleyJob job) {
        cluster.requireDefinition();
        try {
            MedleyJob unused = cluster.client().resource(job).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() == CONFLICT) {
                throw new ConfigException(
                        ("a MedleyJob %s is there already: give --name, or end it with kubectl"
                                        + " delete mj -n %s %s")
                                .formatted(job.path(), job.namespace(), job.name()),
                        e);
            } else if (e.getCode() == NOT_FOUND) {
                throw new ConfigException(
                        "there is no namespace %s: kubectl create namespace %s"
                                .formatted(job.namespace(), job.namespace()),
                        e);
            }
            throw cluster.said(e);
        }
    }

    /**
     * How far a job is.
     *
     * @throws GoneException if it is not there any more
     * @throws AwayException if the cluster does not answer now
     */
    public MedleyJobStatus status(MedleyJob job) {
        try {
            MedleyJob now =
                    cluster.client()
                            .resources(MedleyJob.class)
                            .inNamespace(job.namespace())
                            .withName(job.name())
                            .get();
            if (now == null) {
                throw new GoneException(job.path() + " was deleted");
            }
            return now.getStatus() == null ? MedleyJobStatus.NONE : now.getStatus();
        } catch (KubernetesClientException e) {
            throw new AwayException(String.valueOf(cluster.said(e).getMessage()), e);
        }
    }

    /** The job was deleted while it was looked at. */
    public static final class GoneException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        GoneException(String message) {
            super(message);
        }
    }

    /** The cluster may answer later: the job goes on meanwhile. */
    public static final class AwayException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        AwayException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
