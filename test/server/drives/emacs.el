;; Both wait until as many findings are shown, and write what has been seen.
(require 'json)
(defun shown (count items)
  (with-timeout (50)
    (while (/= count (length (funcall items))) (accept-process-output nil 0.02)))
  (funcall items))
(defun write-seen (diagnostics hover configuration titles after)
  (let ((lines (buffer-string)))
    (with-temp-file "seen.json"
      (insert (json-encode `((diagnostics . ,(vconcat diagnostics)) (hover . ,hover)
                             (configuration . ,configuration) (titles . ,(vconcat titles))
                             (after . ,(length after)) (lines . ,lines)))))))
