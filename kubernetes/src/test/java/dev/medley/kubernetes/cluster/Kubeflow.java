package dev.medley.kubernetes.cluster;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Starts the real controllers of JobSet and of Kubeflow's Trainer. */
public final class Kubeflow {
    private Kubeflow() {}

    /** Starts JobSet's; aborts the test where it was not built. */
    public static ForeignController jobSet(ControlPlane plane) throws Exception {
        return ForeignController.start(
                plane,
                new ForeignController.Wish(
                        "jobset",
                        """
                        apiVersion: config.jobset.x-k8s.io/v1alpha1
                        kind: Configuration
                        health: {healthProbeBindAddress: "127.0.0.1:0"}
                        metrics: {bindAddress: "0"}
                        webhook: {port: %1$d, host: 127.0.0.1}
                        leaderElection: {leaderElect: false}
                        internalCertManagement: {enable: false}
                        """,
                        List.of(),
                        "crd/bases",
                        Set.of("mjobset.kb.io")));
    }

    /** Starts Trainer's; aborts the test where it was not built. */
    public static ForeignController trainer(ControlPlane plane) throws Exception {
        return trainer(plane, "", Map.of());
    }

    /** The same with its server for the status of TrainJobs, at its other port. */
    public static ForeignController trainerWithStatus(ControlPlane plane) throws Exception {
        // It learns from its own token who issues those of pods.
        return trainer(
                plane,
                "statusServer: {port: %2$d}\nfeatureGates: {TrainJobStatus: true}\n",
                Map.of(
                        "var/run/secrets/kubernetes.io/serviceaccount/token",
                        plane.token(ControlPlane.OPERATOR, "medley-operator")));
    }

    private static ForeignController trainer(
            ControlPlane plane, String config, Map<String, String> files) throws Exception {
        return ForeignController.start(
                plane,
                new ForeignController.Wish(
                        "trainer",
                        """
                        apiVersion: config.trainer.kubeflow.org/v1alpha1
                        kind: Configuration
                        health: {healthProbeBindAddress: "127.0.0.1:0"}
                        metrics: {bindAddress: "0"}
                        webhook: {port: %1$d, host: 127.0.0.1}
                        leaderElection: {leaderElect: false}
                        certManagement: {enable: false}
                        """
                                + config,
                        List.of(),
                        "crds",
                        Set.of("defaulter.trainjob.trainer.kubeflow.org"),
                        files));
    }
}
