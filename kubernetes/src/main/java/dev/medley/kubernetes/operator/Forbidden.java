package dev.medley.kubernetes.operator;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;

/** Says which right is missing, in words that name the verb and what it is about. */
final class Forbidden {
    private Forbidden() {}

    /** Of an answer 403. */
    static String sentence(KubernetesClientException e) {
        Status status = e.getStatus();
        String said =
                status == null || status.getMessage() == null
                        ? String.valueOf(e.getMessage())
                        : status.getMessage();
        return "the operator may not do this: "
                + said
                + "; give its service account that right (medley kubernetes install prints the"
                + " roles), or ask who gives quota and policies of the namespace";
    }
}
