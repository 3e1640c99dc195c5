import { createContext, useContext } from "react";
import type { FieldErrors } from "#domain/errors";

const FormErrors = createContext<FieldErrors>({});

export const FormErrorsProvider = FormErrors.Provider;

/** Every error of the form, by field; those of a list or an object by the path to the part. */
export const useFormErrors = () => useContext(FormErrors);
