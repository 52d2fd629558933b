package dev.medley.data.encoding;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.medley.base.job.Signature;

/**
 * The fitted mapping from raw data to a model's inputs and target. It is a JSON-able value and is
 * saved with the model, so that predictions see data exactly as training did.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = TableEncoding.class, name = "table"),
    @JsonSubTypes.Type(value = ImageEncoding.class, name = "image"),
    @JsonSubTypes.Type(value = TextEncoding.class, name = "text"),
    @JsonSubTypes.Type(value = LabelledTextEncoding.class, name = "labelled-text"),
    @JsonSubTypes.Type(value = SeriesEncoding.class, name = "series"),
    @JsonSubTypes.Type(value = SequenceEncoding.class, name = "sequence"),
    @JsonSubTypes.Type(value = CustomEncoding.class, name = "custom")
})
public sealed interface Encoding
        permits TableEncoding,
                ImageEncoding,
                TextEncoding,
                LabelledTextEncoding,
                SeriesEncoding,
                SequenceEncoding,
                CustomEncoding {
    /** What flows into a model of this data, and what is asked of it. */
    Signature signature();

    /** What it reads, in a word for people: a table, images, text. */
    String reads();
}
