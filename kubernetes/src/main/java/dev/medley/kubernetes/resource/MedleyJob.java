package dev.medley.kubernetes.resource;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** Holds a training job on Kubernetes: what a user asks for, and how far it is. */
@Group("medley.dev")
@Version("v1")
@JsonIgnoreProperties(ignoreUnknown = true)
public final class MedleyJob extends CustomResource<MedleyJobSpec, MedleyJobStatus>
        implements Namespaced {
    private static final long serialVersionUID = 1L;

    @Override
    @JsonDeserialize(using = SpecReading.class)
    public void setSpec(MedleyJobSpec spec) {
        super.setSpec(spec);
    }

    /** The namespace and the name, as users write it. */
    public String path() {
        return getMetadata().getNamespace() + "/" + getMetadata().getName();
    }

    /** Where it is. */
    public String namespace() {
        return getMetadata().getNamespace();
    }

    /** The name in its namespace. */
    public String name() {
        return getMetadata().getName();
    }
}
