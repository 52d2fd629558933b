package dev.medley.kubernetes.cluster;

import java.util.List;
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
                        """,
                        List.of(),
                        "crds",
                        Set.of("defaulter.trainjob.trainer.kubeflow.org")));
    }

    /** Applies documents as soon as webhooks listen. */
    public static void apply(ControlPlane plane, String text) throws Exception {
        ForeignController.apply(plane, text);
    }
}
