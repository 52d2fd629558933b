/**
 * Answers the Open Inference Protocol over gRPC, whose messages are read field by field from their
 * bytes (grpc_predict_v2.proto; numbers of fields stand here).
 *
 * <p>May use: base, the packages of serving, Armeria, protobuf's streams. Never: generated code.
 *
 * <p>Thread: Armeria's event loops.
 */
@NullMarked
package dev.medley.serving.grpc;

import org.jspecify.annotations.NullMarked;
