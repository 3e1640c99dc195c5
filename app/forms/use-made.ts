import { useActionData } from "@remix-run/react";
import { useState } from "react";
import type { FormAnswer } from "#app/forms/form-answer";

/** The answer with what a form has made, and its setter; without script the page comes with it. */
export function useMade() {
  const page = useActionData<FormAnswer>();
  return useState(page?.ok ? page : null);
}
