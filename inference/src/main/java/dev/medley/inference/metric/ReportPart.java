package dev.medley.inference.metric;

import dev.medley.base.evaluation.EvaluationSection;
import java.util.List;

/** Computes sections of a report from the doubles of blocks. */
public interface ReportPart extends BlockValues {
    /** The sections, from the doubles of all blocks in order; none where they have no meaning. */
    List<EvaluationSection> sections(List<double[]> blocks);
}
