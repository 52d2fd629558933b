package dev.medley.net.control;

/**
 * The bytes that a worker sent to one other over their links.
 *
 * @param rank of the other in their group
 * @param sentBytes as they travelled
 * @param sparedBytes that a codec kept from travelling
 */
public record LinkBytes(int rank, long sentBytes, long sparedBytes) {
    public LinkBytes {
        Bounds.atLeast("rank", rank, 0);
        Bounds.amount("sentBytes", sentBytes);
        Bounds.difference("sparedBytes", sparedBytes); // A codec may lengthen what is short.
    }
}
