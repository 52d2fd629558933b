package dev.medley.fleet.state;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** Holds one line of a fleet's journal: the newest of a job or a machine overrules older ones. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "entry")
@JsonSubTypes({
    @JsonSubTypes.Type(value = FleetEntry.OfJob.class, name = "job"),
    @JsonSubTypes.Type(value = FleetEntry.OfMachine.class, name = "machine"),
    @JsonSubTypes.Type(value = FleetEntry.OfTenure.class, name = "tenure"),
    @JsonSubTypes.Type(value = FleetEntry.OfSentence.class, name = "sentence"),
    @JsonSubTypes.Type(value = FleetEntry.OfRate.class, name = "rate")
})
public sealed interface FleetEntry {
    /** A job as it is now. */
    record OfJob(FleetJob job) implements FleetEntry {}

    /** A machine as it is now. */
    record OfMachine(FleetMachine machine) implements FleetEntry {}

    /** A tenure that began, or ended: the newest of a machine overrules one that had no end. */
    record OfTenure(Tenure tenure) implements FleetEntry {}

    /** A decision about a job. */
    record OfSentence(long job, double atS, String sentence) implements FleetEntry {}

    /** How fast jobs of a kind ran on machines of a type. */
    record OfRate(String kind, String type, double rate, double relativeError)
            implements FleetEntry {}
}
