package dev.medley.kubernetes.desired;

import dev.medley.kubernetes.resource.MedleyJob;
import java.util.Map;

/** Names a job's objects and labels them. */
public final class ObjectNames {
    /** Label of all objects of a job: its name. */
    public static final String JOB = "medley.dev/job";

    /** Label of pods: the uid of their job, since one of the same name may have been deleted. */
    public static final String UID = "medley.dev/uid";

    /** Label of a worker and of its Indexed Job: the flavor's name. */
    public static final String FLAVOR = "medley.dev/flavor";

    /** Label of all objects of a job: coordinator, worker or shared. */
    public static final String COMPONENT = "app.kubernetes.io/component";

    /** Label of all that the operator makes. */
    public static final String MANAGER = "app.kubernetes.io/managed-by";

    /** Value of {@link #MANAGER}. */
    public static final String MEDLEY = "medley";

    /** Value of {@link #COMPONENT} of the coordinator's Job and pod. */
    public static final String COORDINATOR = "coordinator";

    /** Value of {@link #COMPONENT} of workers' Jobs and pods. */
    public static final String WORKER = "worker";

    /** Label by which Kueue knows whose quota is meant. */
    public static final String QUEUE = "kueue.x-k8s.io/queue-name";

    /** Annotation by which Kueue lets a Job grow and shrink. */
    public static final String ELASTIC = "kueue.x-k8s.io/elastic-job";

    /** Annotation: of which wish an object is. */
    public static final String WISH = "medley.dev/wish";

    /** Annotation of a worker: the size to which it was brought in place. */
    public static final String SIZE = "medley.dev/size";

    /** Service account, role and binding of coordinators, one in a namespace. */
    public static final String ACCOUNT = "medley-coordinator";

    /** Secret of a namespace with the certificate that its jobs share. */
    public static final String IDENTITY = "medley-identity";

    /** Where machines join a coordinator. */
    public static final int PORT = 7077;

    private ObjectNames() {}

    /** Of the coordinator's Job. */
    public static String coordinator(MedleyJob job) {
        return job.name() + "-" + COORDINATOR;
    }

    /** Of the Indexed Job of a kind of machines. */
    public static String flavor(MedleyJob job, String flavor) {
        return job.name() + "-" + flavor;
    }

    /** Of the headless service: the domain of the job's pods. */
    public static String service(MedleyJob job) {
        return job.name();
    }

    /** Of the job file's ConfigMap. */
    public static String file(MedleyJob job) {
        return job.name() + "-job";
    }

    /** Of the Secret with which machines join. */
    public static String join(MedleyJob job) {
        return job.name() + "-join";
    }

    /** Of the volume claim that is made for the run's folder. */
    public static String claim(MedleyJob job) {
        return job.name() + "-runs";
    }

    /** The host name of the coordinator's pod, whatever its address. */
    public static String coordinatorHost(MedleyJob job) {
        return "%s-0.%s.%s.svc".formatted(coordinator(job), service(job), job.namespace());
    }

    /** Labels of an object. */
    public static Map<String, String> labels(MedleyJob job, String component) {
        return Map.of(JOB, job.name(), COMPONENT, component, MANAGER, MEDLEY);
    }
}
